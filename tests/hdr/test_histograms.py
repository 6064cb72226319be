"""Every histogram that pgload encodes means the same to HdrHistogram's Java library."""
import os
import subprocess
import unittest

from referee import read_histograms

PERCENTILES = [0, 25, 50, 90, 95, 99, 99.9, 99.99, 100]
HIGHEST = 2 ** 42 - 1  # ns: what is longer counts here


class Histograms(unittest.TestCase):
    def test_the_referee_sees_the_same_counts_and_percentiles(self):
        lines = subprocess.run([os.environ["HDR_SAMPLES"]], capture_output=True, text=True, check=True).stdout.split("\n")
        samples = [line.split() for line in lines if line]
        self.assertGreater(len(samples), 100)
        found = read_histograms([sample[0] for sample in samples], PERCENTILES)
        self.assertEqual(len(found), len(samples))
        for (_, *ours), (count, top, values) in zip(samples, found):
            our_count, our_max, *our_values = map(int, ours)
            self.assertEqual(count, our_count)
            # pgload knows the maximum exactly, the encoding only its bucket: no value of pgload is above it.
            self.assertTrue(min(our_max, HIGHEST) <= top <= our_max + our_max // 1000 + 1, (our_max, top))
            for p, value, our_value in zip(PERCENTILES, values, our_values):
                if our_value > HIGHEST:
                    value = our_max if value == HIGHEST else value
                with self.subTest(p=p, count=count):
                    if p == 0:  # the library answers with the lower end of the bucket
                        self.assertLessEqual(value, our_value)
                    else:
                        self.assertEqual(min(value, our_max), our_value)


if __name__ == "__main__":
    unittest.main()
