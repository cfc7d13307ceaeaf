#include "runtime/elf/file_budget.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "support/format.h"
#include "support/interruption.h"

namespace dscope {

namespace {

// A file, and its state when it was read: a changed file deserves another attempt.
using FileState = std::tuple<dev_t, ino_t, off_t, time_t, int64_t>;

struct Registry {
  std::mutex mutex;
  FileLimits limits;
  std::function<void(const std::string& message)> report;
  std::set<FileState> used_up;
  std::set<std::pair<dev_t, ino_t>> reported;
  std::map<uid_t, int> files_of_owner;  // that used up their budgets
};

Registry& registry() {
  static Registry* instance = new Registry;  // destructors of static objects may still read files
  return *instance;
}

FileState state_of(const struct stat& file) {
  return {file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
}

// The path of an open file. Its owner chose the characters, so control characters are replaced.
std::string path_of(int fd) {
  char path[4096];
  ssize_t length = ::readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), path, sizeof path);
  std::string text{path, static_cast<size_t>(std::max<ssize_t>(length, 0))};
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return text;
}

std::string size_text(uint64_t bytes) {
  constexpr uint64_t mib = uint64_t{1} << 20;
  return bytes >= mib ? fmt::format("{} MiB", bytes / mib) : fmt::format("{} bytes", bytes);
}

std::string time_text(std::chrono::nanoseconds time) {
  return fmt::format("{:g} s", std::chrono::duration<double>(time).count());
}

// Remembers that the file has a message. False if it had one, or if nobody prints messages.
bool takes_report(Registry& all, const struct stat& file) {
  return all.reported.emplace(file.st_dev, file.st_ino).second && all.report;
}

}  // namespace

void FileBudget::configure(const FileLimits& limits, std::function<void(const std::string& message)> report) {
  std::lock_guard lock(registry().mutex);
  registry().limits = limits;
  registry().report = std::move(report);
}

FileLimits FileBudget::default_limits() {
  std::lock_guard lock(registry().mutex);
  return registry().limits;
}

FileBudget::FileBudget(int fd, const FileLimits& limits)
    : fd_(fd), limits_(limits), bytes_left_(limits.bytes), is_used_up_(false) {
  restart_clock();
  struct stat file;
  if (fd < 0 || ::fstat(fd, &file) != 0) return;
  std::lock_guard lock(registry().mutex);
  auto owner = registry().files_of_owner.find(file.st_uid);
  bool is_refused = owner != registry().files_of_owner.end() && owner->second >= max_files_per_owner;
  is_used_up_ = is_refused || registry().used_up.contains(state_of(file));
}

void FileBudget::restart_clock() { end_ = std::chrono::steady_clock::now() + limits_.time; }

bool FileBudget::take(uint64_t bytes) {
  if (is_used_up_) return false;
  if (bytes > bytes_left_) {
    use_up(fmt::format("{} (-x foreignbytes)", size_text(limits_.bytes)));
    return false;
  }
  bytes_left_ -= bytes;
  return has_time();
}

bool FileBudget::check_clock() {
  // The user ends the run. Nothing is wrong with the file.
  if (is_interrupted) is_used_up_ = true;
  if (!is_used_up_ && std::chrono::steady_clock::now() >= end_)
    use_up(fmt::format("{} (-x foreigntime)", time_text(limits_.time)));
  return !is_used_up_;
}

void FileBudget::use_up(const std::string& limit) {
  is_used_up_ = true;
  struct stat file;
  if (fd_ < 0 || ::fstat(fd_, &file) != 0) return;
  Registry& all = registry();
  std::lock_guard lock(all.mutex);
  bool is_new = all.used_up.insert(state_of(file)).second;
  int of_owner = file.st_uid == 0 || !is_new ? 0 : ++all.files_of_owner[file.st_uid];
  if (!takes_report(all, file)) return;
  std::string text = fmt::format("reading {} exceeds {}: its names and probes are left out", path_of(fd_), limit);
  if (of_owner == max_files_per_owner) text += fmt::format(", as are those of all other files of user {}", file.st_uid);
  all.report(text);
}

void FileBudget::report(int fd, const std::string& sentence) {
  struct stat file;
  if (fd < 0 || ::fstat(fd, &file) != 0) return;
  Registry& all = registry();
  std::lock_guard lock(all.mutex);
  if (takes_report(all, file)) all.report(fmt::format("{} {}", path_of(fd), sentence));
}

}  // namespace dscope
