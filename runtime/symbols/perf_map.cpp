#include "runtime/symbols/perf_map.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "runtime/elf/debug_files.h"
#include "runtime/elf/process_maps.h"
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
bool is_trusted(int fd, uid_t owner) {
  struct stat file;
  if (::fstat(fd, &file) != 0 || static_cast<size_t>(file.st_size) > largest_perf_map) return false;
  return file.st_uid == 0 || file.st_uid == owner;
}

// One that is gone, or nearly, may have written its map at its end, where we look if it was not in a container.
std::string path_of(uint32_t tgid) {
  std::string root = fmt::format("/proc/{}/root", tgid);
  char buffer[1];
  if (::readlink(root.c_str(), buffer, sizeof buffer) < 0) return fmt::format("/tmp/perf-{}.map", tgid);
  return fmt::format("{}/tmp/perf-{}.map", root, namespace_pid(tgid));
}

std::string read_text(uint32_t tgid, uid_t owner) {
  Fd fd = open_regular(path_of(tgid));
  if (!fd || !is_trusted(fd.get(), owner)) return {};
  std::string text;
  char buffer[65536];
  for (ssize_t got; (got = ::read(fd.get(), buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(got));
  return text;
}

// "1f40" or, as a JVM writes it, "0x1f40", and one character behind it; nothing if there is no more on the line.
std::optional<uint64_t> take_number(std::string_view& line) {
  if (line.starts_with("0x")) line.remove_prefix(2);
  uint64_t number = 0;
  auto parsed = std::from_chars(line.data(), line.data() + line.size(), number, 16);
  if (parsed.ec != std::errc{} || parsed.ptr == line.data() + line.size()) return std::nullopt;
  line.remove_prefix(static_cast<size_t>(parsed.ptr + 1 - line.data()));
  return number;
}

}  // namespace

SymbolTable read_perf_map(uint32_t tgid, uid_t owner) { return parse_perf_map(read_text(tgid, owner)); }

SymbolTable parse_perf_map(std::string_view text) {
  SymbolTable table;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    auto start = take_number(line);
    auto size = start ? take_number(line) : std::nullopt;
    if (!size) continue;
    table.add(*start, *size, 0, line);
  }
  table.finish();
  return table;
}

}  // namespace dscope
