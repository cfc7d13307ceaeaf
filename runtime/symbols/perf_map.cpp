#include "runtime/symbols/perf_map.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>

#include "runtime/elf/debug_files.h"
#include "runtime/elf/file_budget.h"
#include "runtime/elf/process_maps.h"
#include "support/format.h"

extern "C" {
// libbcc's reader of perf maps. The library exports it, but Debian's libbpfcc-dev installs no header that declares it
// (src/cc/bcc_perf_map.h). Opens `path`, calls `on_symbol` for each well-formed line, and returns -1 if the file cannot
// be opened. The name is valid during the call.
int bcc_perf_map_foreach_sym(const char* path,
                             int (*on_symbol)(const char* name, uint64_t start, uint64_t size, void* payload),
                             void* payload);
}

namespace dscope {

namespace {

// The pid of a process in its own pid namespace, by which it names its perf map: the last number of the NSpid line.
std::string namespace_pid(uint32_t tgid) {
  std::string status = read_small_file(fmt::format("/proc/{}/status", tgid));
  size_t at = status.find("\nNSpid:");
  if (at == std::string::npos) return fmt::format("{}", tgid);
  std::string_view line = std::string_view{status}.substr(at + 1);
  line = line.substr(0, line.find('\n'));
  return std::string{line.substr(line.find_last_of(" \t") + 1)};
}

// Anybody may create files in /tmp: only root and the owner of the process can name its code. The owner can mount any
// file of root there, in a mount namespace of their own: what only root may read must not be printed as names.
bool is_trusted(int fd, uid_t owner) {
  struct stat file;
  if (::fstat(fd, &file) != 0) return false;
  return file.st_uid == owner || (file.st_uid == 0 && (file.st_mode & S_IROTH) != 0);
}

// Follows no link at the name itself: in a directory that only root may search, it could lead to a file that all may
// read.
Fd open_in_tmp(const std::string& root, const std::string& name) {
  Fd directory{::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  Fd tmp = directory ? find_in_root(directory, "/tmp") : Fd{};
  Fd file{tmp ? ::openat(tmp.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC) : -1};
  return file ? open_regular(fmt::format("/proc/self/fd/{}", file.get())) : Fd{};
}

// An exited process has no root directory left, but a JVM writes its map just before it exits.
Fd open_map(uint32_t tgid) {
  std::string root = fmt::format("/proc/{}/root", tgid);
  char buffer[1];
  if (::readlink(root.c_str(), buffer, sizeof buffer) < 0) return open_in_tmp("/", fmt::format("perf-{}.map", tgid));
  return open_in_tmp(root, fmt::format("perf-{}.map", namespace_pid(tgid)));
}

// A copy of the file in memory, which does not grow while it is read; an empty Fd if it exceeds the budget.
Fd copy_within(FileBudget& budget, int fd) {
  Fd copy{::memfd_create("perf-map", MFD_CLOEXEC)};
  std::array<char, size_t{64} << 10> buffer;
  off_t at = 0;
  for (ssize_t got; copy && (got = ::pread(fd, buffer.data(), buffer.size(), at)) > 0; at += got) {
    // For the copy, for the line that libbcc reads, which may be the whole file, and for the names.
    constexpr uint64_t copies = 3;
    bool is_copied = budget.take(copies * static_cast<uint64_t>(got)) && budget.check_clock() &&
                     ::write(copy.get(), buffer.data(), static_cast<size_t>(got)) == got;
    if (!is_copied) copy.reset();
  }
  return copy;
}

struct Reading {
  SymbolTable& table;
  FileBudget& budget;
};

int add_symbol(const char* name, uint64_t start, uint64_t size, void* payload) {
  Reading& reading = *static_cast<Reading*>(payload);
  constexpr uint64_t entry_size = 32;
  std::string_view text{name};
  if (reading.budget.take(text.size() + entry_size)) reading.table.add(start, size, 0, text);
  return 0;
}

}  // namespace

SymbolTable read_perf_map(uint32_t tgid, uid_t owner) {
  SymbolTable table;
  Fd file = open_map(tgid);
  if (!file || !is_trusted(file.get(), owner)) return table;
  FileBudget budget(file.get());
  // libbcc reads a copy: the process may extend its file faster than anyone reads it.
  Fd copy = copy_within(budget, file.get());
  Reading reading{table, budget};
  if (copy) bcc_perf_map_foreach_sym(fmt::format("/proc/self/fd/{}", copy.get()).c_str(), add_symbol, &reading);
  if (budget.is_used_up()) return {};
  table.finish();
  return table;
}

}  // namespace dscope
