#include "runtime/symbols/perf_map.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "runtime/elf/debug_files.h"
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

constexpr size_t max_file_size = size_t{256} << 20;

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
  if (::fstat(fd, &file) != 0 || static_cast<size_t>(file.st_size) > max_file_size) return false;
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

int add_symbol(const char* name, uint64_t start, uint64_t size, void* table) {
  static_cast<SymbolTable*>(table)->add(start, size, 0, name);
  return 0;
}

}  // namespace

SymbolTable read_perf_map(uint32_t tgid, uid_t owner) {
  SymbolTable table;
  Fd file = open_map(tgid);
  if (!file || !is_trusted(file.get(), owner)) return table;
  // Through the descriptor, so that libbcc reads the file that was checked and never blocks on a FIFO put in its place.
  bcc_perf_map_foreach_sym(fmt::format("/proc/self/fd/{}", file.get()).c_str(), add_symbol, &table);
  table.finish();
  return table;
}

}  // namespace dscope
