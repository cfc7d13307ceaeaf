#include "runtime/elf/process_maps.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "support/fd.h"
#include "support/format.h"

namespace dscope {

namespace {

// Removes the text up to `end`, and `end` itself, from the front of `rest`; returns the text.
std::string_view take_until(std::string_view& rest, char end) {
  size_t at = std::min(rest.find(end), rest.size());
  std::string_view taken = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return taken;
}

uint64_t number(std::string_view text, int base) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

// "55d0c0a00000-55d0c0a02000 r-xp 00002000 08:01 1234      /usr/bin/cat (deleted)"
Mapping parse_mapping(std::string_view line) {
  Mapping mapping;
  mapping.start = number(take_until(line, '-'), 16);
  mapping.end = number(take_until(line, ' '), 16);
  mapping.is_executable = take_until(line, ' ').find('x') != std::string_view::npos;
  mapping.offset = number(take_until(line, ' '), 16);
  mapping.device = take_until(line, ' ');
  mapping.inode = number(take_until(line, ' '), 10);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  constexpr std::string_view deleted = " (deleted)";
  mapping.is_deleted = line.ends_with(deleted);
  if (mapping.is_deleted) line.remove_suffix(deleted.size());
  mapping.path = line;
  return mapping;
}

}  // namespace

std::string read_small_file(const std::string& path) {
  std::string text;
  Fd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!fd) return text;
  char buffer[16384];
  for (ssize_t got; (got = ::read(fd.get(), buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(got));
  return text;
}

uint32_t process_of_thread(uint32_t thread) {
  constexpr std::string_view field = "\nTgid:\t";
  const std::string status = read_small_file(fmt::format("/proc/{}/status", thread));
  size_t at = status.find(field);
  uint32_t process = 0;
  if (at == std::string::npos) return 0;
  std::from_chars(status.data() + at + field.size(), status.data() + status.size(), process);
  return process == thread ? 0 : process;
}

std::string_view Mapping::object_name() const {
  if (is_vdso()) return path;
  if (!is_file()) return {};
  return std::string_view{path}.substr(path.rfind('/') + 1);
}

std::optional<ProcessMaps> ProcessMaps::read(uint32_t pid) {
  std::string text = read_small_file(fmt::format("/proc/{}/maps", pid));
  if (text.empty()) return std::nullopt;
  return parse(text);
}

ProcessMaps ProcessMaps::parse(std::string_view text) {
  ProcessMaps result;
  while (!text.empty()) result.mappings_.push_back(parse_mapping(take_until(text, '\n')));
  std::sort(result.mappings_.begin(), result.mappings_.end(),
            [](const Mapping& a, const Mapping& b) { return a.start < b.start; });
  return result;
}

const Mapping* ProcessMaps::find(uint64_t address) const {
  auto above = std::upper_bound(mappings_.begin(), mappings_.end(), address,
                                [](uint64_t wanted, const Mapping& mapping) { return wanted < mapping.start; });
  if (above == mappings_.begin() || address >= (above - 1)->end) return nullptr;
  return &*(above - 1);
}

void ProcessMaps::add(Mapping mapping) {
  std::vector<Mapping> kept;
  kept.reserve(mappings_.size() + 2);
  for (Mapping& old : mappings_) {
    if (old.end > mapping.end && old.start < mapping.end) {  // keep the part above
      Mapping rest = old;
      rest.start = std::max(old.start, mapping.end);
      rest.offset += rest.start - old.start;
      kept.push_back(std::move(rest));
    }
    bool is_beyond = old.start >= mapping.end;
    if (!is_beyond) old.end = std::min(old.end, mapping.start);
    if (old.start < old.end) kept.push_back(std::move(old));
  }
  kept.push_back(std::move(mapping));
  std::sort(kept.begin(), kept.end(), [](const Mapping& a, const Mapping& b) { return a.start < b.start; });
  mappings_ = std::move(kept);
}

}  // namespace dscope
