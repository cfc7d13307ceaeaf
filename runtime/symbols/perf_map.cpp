#include "runtime/symbols/perf_map.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "runtime/symbols/debug_files.h"
#include "runtime/symbols/process_maps.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr size_t largest_perf_map = size_t{256} << 20;

// Pid of a process in its own namespace: the last number of the NSpid line. That is the one a perf map is named by.
std::string namespace_pid(uint32_t tgid) {
  std::string status = read_small_file(fmt::format("/proc/{}/status", tgid));
  size_t at = status.find("\nNSpid:");
  if (at == std::string::npos) return fmt::format("{}", tgid);
  std::string_view line = std::string_view{status}.substr(at + 1);
  line = line.substr(0, line.find('\n'));
  return std::string{line.substr(line.find_last_of(" \t") + 1)};
}

// A map in /tmp is believed only if root or the owner of the process wrote it.
bool is_trusted_owner(uint32_t tgid, int fd) {
  struct stat file, process;
  if (::fstat(fd, &file) != 0 || static_cast<size_t>(file.st_size) > largest_perf_map) return false;
  if (::stat(fmt::format("/proc/{}", tgid).c_str(), &process) != 0) return false;
  return file.st_uid == 0 || file.st_uid == process.st_uid;
}

std::string read_text(uint32_t tgid) {
  std::string path = fmt::format("/proc/{}/root/tmp/perf-{}.map", tgid, namespace_pid(tgid));
  Fd fd = open_regular(path);
  if (!fd || !is_trusted_owner(tgid, fd.get())) return {};
  std::string text;
  char buffer[65536];
  for (ssize_t got; (got = ::read(fd.get(), buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(got));
  return text;
}

}  // namespace

SymbolTable read_perf_map(uint32_t tgid) { return parse_perf_map(read_text(tgid)); }

SymbolTable parse_perf_map(std::string_view text) {
  SymbolTable table;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    uint64_t start = 0, size = 0;
    auto first = std::from_chars(line.data(), line.data() + line.size(), start, 16);
    if (first.ec != std::errc{} || first.ptr == line.data() + line.size()) continue;
    auto second = std::from_chars(first.ptr + 1, line.data() + line.size(), size, 16);
    if (second.ec != std::errc{} || second.ptr == line.data() + line.size()) continue;
    line.remove_prefix(static_cast<size_t>(second.ptr + 1 - line.data()));
    table.add(start, size, 0, line);
  }
  table.finish();
  return table;
}

}  // namespace dscope
