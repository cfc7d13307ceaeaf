#include "e2e_support.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <regex>

namespace dscope::e2e {

namespace {

struct Child {
  pid_t pid = -1;
  int out = -1, err = -1;
};

[[noreturn]] void become(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  // Tests compile, unless they are about the cache: else the second run of a test would test other code than the first.
  setenv("DTRACE_OPT_CACHE", "off", 0);
  for (const std::string& entry : environment) putenv(const_cast<char*>(entry.c_str()));
  std::vector<char*> argv;
  // DSCOPE_E2E_WRAPPER names a program that runs dscope in another way, such as through_bundle.py.
  char* wrapper = getenv("DSCOPE_E2E_WRAPPER");
  if (wrapper != nullptr && arguments[0] == DSCOPE_PROGRAM) argv.push_back(wrapper);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(127);
}

Child start(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) abort();
  // Some tests compare priorities with those of a shell.
  setpriority(PRIO_PROCESS, 0, 0);
  Child child{.pid = fork(), .out = out[0], .err = err[0]};
  if (child.pid == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    become(arguments, environment);
  }
  close(out[1]);
  close(err[1]);
  return child;
}

// Reads both streams to their ends. Calls `progress` after each piece.
template <typename F>
Outcome collect(Child child, F progress) {
  Outcome outcome;
  pollfd streams[2] = {{child.out, POLLIN, 0}, {child.err, POLLIN, 0}};
  std::string* texts[2] = {&outcome.out, &outcome.err};
  int open_count = child.err < 0 ? 1 : 2;
  while (open_count > 0 && poll(streams, 2, -1) >= 0) {
    for (int i = 0; i < 2; ++i) {
      if (streams[i].fd < 0 || streams[i].revents == 0) continue;
      char buffer[65536];
      ssize_t count = read(streams[i].fd, buffer, sizeof buffer);
      if (count > 0) {
        texts[i]->append(buffer, static_cast<size_t>(count));
      } else {
        close(streams[i].fd);
        streams[i].fd = -1;
        --open_count;
      }
    }
    progress(outcome);
  }
  int status = 0;
  waitpid(child.pid, &status, 0);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace

Outcome run(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  return collect(start(arguments, environment), [](const Outcome&) {});
}

Outcome dscope(std::vector<std::string> arguments, const std::vector<std::string>& environment) {
  arguments.insert(arguments.begin(), DSCOPE_PROGRAM);
  return run(arguments, environment);
}

Outcome dscope_on_terminal(std::vector<std::string> arguments, const std::vector<std::string>& environment) {
  arguments.insert(arguments.begin(), DSCOPE_PROGRAM);
  std::vector<std::string> variables{"TERM=xterm"};
  variables.insert(variables.end(), environment.begin(), environment.end());
  winsize size{.ws_row = 50, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
  Child child;
  child.pid = forkpty(&child.out, nullptr, nullptr, &size);
  if (child.pid == 0) {
    unsetenv("NO_COLOR");
    become(arguments, variables);
  }
  Outcome outcome = collect(child, [](const Outcome&) {});
  outcome.out = std::regex_replace(outcome.out, std::regex("\r\n"), "\n");
  return outcome;
}

std::string left_on_screen(const std::string& received) {
  std::string text = std::regex_replace(received, std::regex("\x1b\\[[0-9;]*m"), "");
  return std::regex_replace(text, std::regex("[^\n]*\r\x1b\\[K"), "");
}

Outcome dscope_with_signal(std::vector<std::string> arguments, const std::string& text, int signal_number) {
  arguments.insert(arguments.begin(), DSCOPE_PROGRAM);
  Child child = start(arguments, {});
  bool is_sent = false;
  return collect(child, [&](const Outcome& so_far) {
    if (is_sent || (so_far.out + so_far.err).find(text) == std::string::npos) return;
    kill(child.pid, signal_number);
    is_sent = true;
  });
}

bool can_trace() {
  static const bool can = [] {
    bool works = dscope({"-qn", "BEGIN { exit(0); }"}).status == 0;
    if (!works && getenv("DSCOPE_REQUIRE_E2E") != nullptr) {
      fprintf(stderr, "DSCOPE_REQUIRE_E2E is set, but dscope cannot trace here\n");
      exit(1);
    }
    return works;
  }();
  return can;
}

bool runs_32_bit_program(const std::string& program) {
  constexpr int format_error = 99;
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_RDWR);
    dup2(null, STDOUT_FILENO);
    execl(program.c_str(), program.c_str(), nullptr);
    _exit(errno == ENOEXEC ? format_error : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != format_error) return true;
  Outcome outcome = dscope({"-qn", "BEGIN { exit(0); }", "-c", program});
  EXPECT_NE(outcome.err.find("it is a 32-bit program, and this machine runs none"), std::string::npos) << outcome.err;
  return false;
}

std::string masked(std::string text, bool has_cpu_column) {
  static const std::regex cpu_column("(^|\n) {0,2}[0-9]{1,3} ( *[0-9]+ )");
  if (has_cpu_column) text = std::regex_replace(text, cpu_column, "$1  C $2");
  text = std::regex_replace(text, std::regex("0x[0-9a-f]+"), "{ptr}");
  text = std::regex_replace(text, std::regex("probe ID [0-9]+ \\((?!dtrace:)"), "probe ID N (");
  return std::regex_replace(text, std::regex("at BPF pc [1-9][0-9]*"), "at BPF pc NNN");
}

}  // namespace dscope::e2e
