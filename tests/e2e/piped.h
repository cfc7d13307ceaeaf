// Children that run beside the test, and handshakes with them.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace dscope::e2e {

inline std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// True if the condition becomes true within ten seconds.
inline bool comes_true(const std::function<bool()>& is_true) {
  for (auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
       std::chrono::steady_clock::now() < deadline; ::usleep(1000))
    if (is_true()) return true;
  return is_true();
}

// A child whose standard input and output are pipes.
class Piped {
 public:
  explicit Piped(std::vector<std::string> command) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) < 0 || ::pipe2(out, O_CLOEXEC) < 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::dup2(out[1], STDERR_FILENO);
      std::vector<char*> words;
      for (std::string& word : command) words.push_back(word.data());
      words.push_back(nullptr);
      ::execv(words[0], words.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    in_ = in[1];
    out_ = out[0];
  }
  Piped(const Piped&) = delete;
  Piped& operator=(const Piped&) = delete;
  ~Piped() {
    kill(SIGKILL);
    ::close(in_);
    ::close(out_);
  }

  pid_t pid() const { return pid_; }
  void write_byte() { EXPECT_EQ(::write(in_, "x", 1), 1); }
  // Reads the next line. The line is incomplete if the child ends or is silent for ten seconds.
  std::string read_line() {
    std::string line;
    for (char byte = 0; byte != '\n';) {
      pollfd item{.fd = out_, .events = POLLIN, .revents = 0};
      if (::poll(&item, 1, 10'000) <= 0 || ::read(out_, &byte, 1) != 1) break;
      line += byte;
    }
    return line;
  }
  void signal(int number) const { ::kill(pid_, number); }
  void kill(int number) {
    if (pid_ <= 0) return;
    ::kill(pid_, number);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
  int in_ = -1, out_ = -1;
};

}  // namespace dscope::e2e
