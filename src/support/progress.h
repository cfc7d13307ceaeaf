// Progress: one line on a terminal that shows the current phase of a slow start and is erased at its end. It writes
// nothing to pipes and files, and nothing in the first half second. The driver creates it, for the time between the
// command line and the first probe.
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

  // `fd`: the terminal, which has `width` columns; -1: none. The line does not appear before `delay` has passed.
  Progress(int fd, size_t width, std::string program_name, std::chrono::milliseconds delay = default_delay);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  // Sets the current activity: "compiling". Cheap enough for thousands of calls.
  void show(std::string_view activity);
  // "loading program 3 of 12"
  void show(std::string_view activity, size_t number, size_t count);
  // Erases the line. Other code may print until the next show().
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
  std::string requested_, shown_;  // guarded by mutex_
  bool is_ended_ = false;          // guarded by mutex_
  std::thread thread_;             // runs from show() to clear(), and draws while the caller is busy
};

// For phases with optional progress: does nothing if `progress` is null.
inline void show(Progress* progress, std::string_view activity, size_t number, size_t count) {
  if (progress != nullptr) progress->show(activity, number, count);
}

}  // namespace dscope
