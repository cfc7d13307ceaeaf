#include "runtime/output/fault_tally.h"

#include "runtime/format/fault_reporter.h"
#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

// False for programs on the command line, whose name is their whole text.
bool is_in_file(const PlanPosition& position) {
  return position.text.empty() || position.unit.find(position.text) == std::string::npos;
}

// "script.d:3:8", or "3:8" for programs on the command line.
std::string site_name(const PlanPosition& position) {
  return fmt::format("{}{}:{}", is_in_file(position) ? position.unit + ":" : "", position.line, position.column);
}

// "copyinstr(arg1)" for D text that starts with "stringof(arg1)", else "".
std::string user_string_read(std::string_view text) {
  constexpr std::string_view name = "stringof(";
  if (!text.starts_with(name)) return "";
  int depth = 1;
  for (size_t i = name.size(); i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return fmt::format("copyinstr({})", text.substr(name.size(), i - name.size()));
  }
  return "";
}

std::string hint_line(std::string_view hint, const Terminal& terminal) {
  Palette colors(terminal);
  return fmt::format("{}      = hint:{} {}\n", colors.hint, colors.reset, hint);
}

// The D line of a fault and a hint.
std::string site_text(const PlanPosition& position, const ds_fault_record& fault, const Terminal& terminal) {
  std::string text = is_in_file(position) ? fmt::format("  at {}\n", site_name(position)) : "";
  std::string read;
  if (!position.text.empty() && position.column != 0) {
    SourceLocation location{.unit = {}, .line = position.line, .column = position.column, .line_text = position.text};
    text += excerpt(location, {}, terminal);
    if (position.column <= position.text.size())
      read = user_string_read(std::string_view{position.text}.substr(position.column - 1));
  }
  if (!position.reads_kernel || !is_user_address_fault(fault)) return text;
  return text + hint_line(fmt::format("the address is in user memory: use {}",
                                      read.empty() ? "copyinstr() or copyin()" : read),
                          terminal);
}

}  // namespace

std::string FaultTally::first_fault(const ds_fault_record& fault, const std::string& probe) const {
  std::string text = fmt::format("{}: fault in {}: {}\n", program_name_, probe, fault_cause(fault));
  if (fault.site < plan_->fault_sites.size()) text += site_text(plan_->fault_sites[fault.site], fault, terminal_);
  if (auto size = needed_scratchsize(*plan_, fault))
    text += hint_line(fmt::format("copies of this size need -x scratchsize={}", *size), terminal_);
  return text;
}

std::string FaultTally::add(const ds_fault_record& fault, Clock::time_point now) {
  auto [entry, is_first] = repeats_.try_emplace({fault.site, fault.code});
  if (!is_first) {
    if (total_++ == 0) since_ = now;
    ++entry->second.count;
    return "";
  }
  const ProbePlan& probe = plan_->probes[fault.header.probe_row];
  entry->second.probe =
      visible_line(fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name));
  return first_fault(fault, entry->second.probe);
}

std::string FaultTally::due(Clock::time_point now) { return now - since_ >= std::chrono::seconds{1} ? rest(now) : ""; }

std::string FaultTally::rest(Clock::time_point now) {
  if (total_ == 0) return "";
  double seconds = std::chrono::duration<double>(now - since_).count();
  std::string text;
  for (auto& [key, repeats] : repeats_) {
    auto [site, code] = key;
    if (repeats.count == 0) continue;
    bool has_site = site < plan_->fault_sites.size();
    text += fmt::format("{}: {} more fault{} in {:.1f} s: {} {}\n", program_name_, repeats.count,
                        repeats.count == 1 ? "" : "s", seconds, fault_name(code),
                        has_site ? "at " + site_name(plan_->fault_sites[site]) : "in " + repeats.probe);
    repeats.count = 0;
  }
  total_ = 0;
  return text;
}

}  // namespace dscope
