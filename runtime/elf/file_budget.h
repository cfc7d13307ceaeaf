// FileBudget: bounds the work that reading one file may cost. dscope reads the files of any user as root, and a file of
// 20 KB can claim gigabytes of compressed data. Each reader of a file counts the bytes that it reads, decompresses or
// keeps, and asks in its loops for the time. When either is used up, it drops what it read, so that addresses of the
// file appear without names, and one message names the file.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace dscope {

struct FileLimits {
  uint64_t bytes = uint64_t{1} << 30;
  std::chrono::nanoseconds time = std::chrono::seconds{10};
};

class FileBudget {
 public:
  // The limits of later budgets, and the function that prints their messages (one sentence without newline); null for
  // none. Call it before the first file is read.
  static void configure(const FileLimits& limits, std::function<void(const std::string& message)> report);

  // The budget for one reading of a file, which starts now. `fd` must stay open as long as the budget; -1 for memory of
  // our own. The budget starts used up if the file, unchanged, has used up another one, or if several files of the same
  // owner have. The files of root are exempt from the latter.
  explicit FileBudget(int fd) : FileBudget(fd, default_limits()) {}
  FileBudget(int fd, const FileLimits& limits);

  // Counts bytes. False if they exceed what is left; then the budget is used up and stays so.
  bool take(uint64_t bytes);
  // True if the time is not used up. After an interruption (support/interruption.h), the budget is used up without a
  // message. Cheap enough for each iteration of a loop.
  bool has_time() { return !is_used_up_ && (++calls_ % calls_per_clock != 0 || check_clock()); }
  // As has_time(), for iterations of a millisecond or more.
  bool check_clock();
  bool is_used_up() const { return is_used_up_; }
  uint64_t bytes_left() const { return is_used_up_ ? 0 : bytes_left_; }
  // Starts the time again, for the next query of a file that stays open.
  void restart_clock();

  // Reports another limit of a file, in one sentence that begins with its path: "PATH has more than ...". At most one
  // message per file is printed, of this function and of budgets together.
  static void report(int fd, const std::string& sentence);

  static FileLimits default_limits();
  static constexpr int max_files_per_owner = 8;

 private:
  void use_up(const std::string& limit);

  static constexpr uint32_t calls_per_clock = 256;

  int fd_;
  FileLimits limits_;
  uint64_t bytes_left_;
  std::chrono::steady_clock::time_point end_;
  uint32_t calls_ = 0;
  bool is_used_up_;
};

}  // namespace dscope
