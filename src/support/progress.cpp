#include "support/progress.h"

#include <signal.h>
#include <unistd.h>

#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

constexpr std::chrono::milliseconds redraw_period{100};
constexpr std::string_view erase_line = "\r\x1b[K";

void try_to_write(int fd, std::string_view text) {
  // A failed write must not end the run.
  [[maybe_unused]] ssize_t written = ::write(fd, text.data(), text.size());
}

}  // namespace

Progress::Progress(int fd, size_t width, std::string program_name, std::chrono::milliseconds delay)
    : fd_(fd),
      width_(width),
      prefix_(std::move(program_name) + ": "),
      begin_(std::chrono::steady_clock::now() + delay) {}

void Progress::show(std::string_view activity) {
  if (fd_ < 0) return;
  std::lock_guard lock{mutex_};
  requested_ = activity;
  if (thread_.joinable()) return;
  is_ended_ = false;
  // Blocks all signals in the thread: the main thread handles them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread{[this] { run(); }};
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Progress::show(std::string_view activity, size_t number, size_t count) {
  if (fd_ >= 0) show(fmt::format("{} {} of {}", activity, number, count));
}

void Progress::clear() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock{mutex_};
    is_ended_ = true;
  }
  ended_.notify_one();
  thread_.join();
  if (!shown_.empty()) try_to_write(fd_, erase_line);
  shown_.clear();
}

void Progress::run() {
  std::unique_lock lock{mutex_};
  auto next = begin_;
  while (!ended_.wait_until(lock, next, [this] { return is_ended_; })) {
    if (requested_ != shown_) draw(requested_);
    next = std::chrono::steady_clock::now() + redraw_period;
  }
}

// Draws with one write(), so that no other output comes in between.
void Progress::draw(const std::string& line) {
  std::string text = prefix_ + visible_line(line) + "...";
  // A full line would wrap to the next line, where it could not be erased.
  if (text.size() >= width_) text.resize(width_ > 0 ? width_ - 1 : 0);
  try_to_write(fd_, std::string{erase_line} + text);
  shown_ = line;
}

}  // namespace dscope
