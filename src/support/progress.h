// Progress: one line on a terminal that tells what a slow start is doing, and is erased again. Nothing is written to
// pipes and files, nor in the first half second. Used between the command line and the first probe; made by the driver.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace dscope {

class Progress {
 public:
  static constexpr std::chrono::milliseconds default_delay{500};

  // `fd`: where the line is shown, of `width` columns; -1 for nowhere. It is not shown before `delay` has passed.
  Progress(int fd, size_t width, std::string program_name, std::chrono::milliseconds delay = default_delay);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  // What is done from now on: "compiling". Cheap; may be called thousands of times.
  void show(std::string_view what);
  // "loading program 3 of 12"
  void show(std::string_view what, size_t number, size_t count);
  // Erases the line. Anybody may print from here on, until the next show().
  void clear();

 private:
  void run();
  void draw(const std::string& line);

  int fd_;
  size_t width_;
  std::string prefix_;
  std::chrono::steady_clock::time_point begin_;  // of showing
  std::mutex mutex_;
  std::condition_variable ended_;
  std::string wanted_, shown_;  // guarded by mutex_
  bool is_ended_ = false;       // guarded by mutex_
  std::thread thread_;          // runs from show() to clear(): what is shown changes while the caller is busy
};

// For phases that may be told of their progress, or not: nothing happens if `progress` is null.
inline void show(Progress* progress, std::string_view what, size_t number, size_t count) {
  if (progress != nullptr) progress->show(what, number, count);
}

}  // namespace dscope
