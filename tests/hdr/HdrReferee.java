// Reads what pgload wrote with HdrHistogram's own Java library, and says what it found.
//
//   histograms           lines "BASE64 P1 P2 ..." on stdin -> "COUNT MAX VALUE1 VALUE2 ..."
//   log FILE             lines "TAG START_MS END_MS COUNT MAX P50 P99"
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

public class HdrReferee {
  public static void main(String[] arguments) throws IOException, DataFormatException {
    if (arguments[0].equals("log")) {
      readLog(arguments[1]);
    } else {
      readHistograms();
    }
  }

  private static void readHistograms() throws IOException, DataFormatException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      byte[] bytes = Base64.getDecoder().decode(words[0]);
      Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
      StringBuilder answer = new StringBuilder();
      answer.append(histogram.getTotalCount()).append(' ').append(histogram.getMaxValue());
      for (int i = 1; i < words.length; ++i) {
        answer.append(' ').append(histogram.getValueAtPercentile(Double.parseDouble(words[i])));
      }
      System.out.println(answer);
    }
  }

  private static void readLog(String file) throws IOException {
    HistogramLogReader reader = new HistogramLogReader(new FileInputStream(file));
    while (reader.hasNext()) {
      Histogram histogram = (Histogram) reader.nextIntervalHistogram();
      if (histogram != null) {
        System.out.println(histogram.getTag() + " " + histogram.getStartTimeStamp() + " "
            + histogram.getEndTimeStamp() + " " + histogram.getTotalCount() + " " + histogram.getMaxValue() + " "
            + histogram.getValueAtPercentile(50) + " " + histogram.getValueAtPercentile(99));
      }
    }
  }
}
