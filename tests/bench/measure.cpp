// usage: bench_measure FILE COMMAND...   runs the command and writes what it used to FILE as JSON. A program
// of its own, because a child's peak memory counts from the size of the process that forked it.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    std::perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  rusage used{};
  if (wait4(child, &status, 0, &used) != child) return 1;
  std::FILE* file = std::fopen(argv[1], "w");
  if (file == nullptr) return 1;
  const auto seconds = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
  std::fprintf(file, "{\"user_s\": %.6f, \"system_s\": %.6f, \"max_rss_bytes\": %ld}\n",
               seconds(used.ru_utime), seconds(used.ru_stime), used.ru_maxrss * 1024);
  std::fclose(file);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
