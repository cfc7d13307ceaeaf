// With line information the log has a line "; SOURCE @ FILE:LINE" ("; SOURCE" before Linux 6.10) before the
// instructions of each source line. The complaint is the last line that is neither a source line, nor an instruction,
// nor part of the statistics at the end.
#include "runtime/load/verifier_log.h"

#include <cctype>
#include <vector>

#include "support/format.h"
#include "support/text/format_join.h"

namespace dscope {
namespace {

std::vector<std::string_view> lines_of(std::string_view log) {
  std::vector<std::string_view> lines;
  while (!log.empty()) {
    size_t end = log.find('\n');
    std::string_view line = log.substr(0, end);
    if (!line.empty()) lines.push_back(line);
    if (end == std::string_view::npos) break;
    log.remove_prefix(end + 1);
  }
  return lines;
}

// "processed 12 insns (limit 1000000) ...", "verification time 33 usec", "stack depth 8".
bool is_statistics(std::string_view line) {
  return line.starts_with("processed ") || line.starts_with("verification time ") || line.starts_with("stack depth ");
}

// "12: (85) call bpf_map_lookup_elem#1" and "from 3 to 5: R0=...".
bool is_instruction(std::string_view line) {
  size_t digits = 0;
  while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits]))) ++digits;
  return (digits > 0 && line.substr(digits).starts_with(": ")) || line.starts_with("from ");
}

std::string location_first(std::string_view source) {
  source.remove_prefix(2);  // "; "
  size_t at = source.rfind(" @ ");
  if (at == std::string_view::npos) return std::string{source};
  return fmt::format("{}: {}", source.substr(at + 3), source.substr(0, at));
}

std::string tail_of(const std::vector<std::string_view>& lines, size_t count) {
  size_t first = lines.size() > count ? lines.size() - count : 0;
  return fmt::format("{}", fmt::join(lines.begin() + static_cast<ptrdiff_t>(first), lines.end(), "\n"));
}

}  // namespace

std::string explain_verifier_log(std::string_view log) {
  std::vector<std::string_view> lines = lines_of(log);
  while (!lines.empty() && is_statistics(lines.back())) lines.pop_back();
  if (lines.empty()) return {};
  // bpf_probe_write_user is the only helper that kernel lockdown denies even to root.
  bool is_locked_down = lines.back().find("cannot use helper bpf_probe_write_user") != std::string_view::npos;
  constexpr std::string_view locked_down =
      "this kernel is locked down and forbids writing to user memory: copyout( ), copyoutstr( )";
  for (size_t i = lines.size(); i-- > 0;) {
    if (!lines[i].starts_with("; ")) continue;
    std::string location = location_first(lines[i]);
    if (is_locked_down) return fmt::format("{}: {}", location, locked_down);
    bool has_complaint = i + 1 < lines.size() && !is_instruction(lines.back());
    return has_complaint ? fmt::format("{}: {}", location, lines.back()) : location;
  }
  return is_locked_down ? std::string{locked_down} : tail_of(lines, 10);
}

}  // namespace dscope
