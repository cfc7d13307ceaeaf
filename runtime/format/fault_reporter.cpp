#include "runtime/format/fault_reporter.h"

#include <algorithm>
#include <bit>

#include "support/excerpt.h"
#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

constexpr uint32_t unknown_site = ~uint32_t{0};

std::string fault_detail(uint32_t code, uint64_t value) {
  switch (code) {
    case DS_FAULT_BADADDR: return value == ~uint64_t{0} ? "" : fmt::format(" (0x{:x})", value);
    case DS_FAULT_BADALIGN:
    case DS_FAULT_BADSTACK:
    case DS_FAULT_BADSIZE: return fmt::format(" (0x{:x})", value);
    case DS_FAULT_BADINDEX: return fmt::format(" ({})", static_cast<int64_t>(value));
  }
  return "";
}

// "  at script.d:3:9", the line, and a caret below its column. Tabs are copied so that the caret lines up.
std::string source_text(const PlanPosition& position) {
  std::string text = fmt::format("  at {}:{}", position.unit, position.line);
  if (position.column != 0) text += fmt::format(":{}", position.column);
  text += '\n';
  if (position.text.empty()) return text;
  std::string number = fmt::format("{:>5}", position.line);
  text += fmt::format("{} | {}\n", number, safe_text(position.text));
  if (position.column == 0 || position.column > position.text.size()) return text;
  text += std::string(number.size(), ' ') + " | ";
  for (size_t i = 0; i + 1 < position.column; ++i) text += position.text[i] == '\t' ? '\t' : ' ';
  return text + "^\n";
}

std::string error_prefix(const ProgramPlan& plan, uint32_t clause, uint32_t probe_row, std::string_view program_name) {
  const ProbePlan& probe = plan.probes[probe_row];
  std::string name = fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
  return fmt::format("{}: error in dt_clause_{} for probe ID {} ({}): ", program_name, clause, probe.id,
                     visible_line(name));
}

// True for stringof() of a user-space address.
bool is_stringof_user_address(const ds_fault_record& fault, const PlanPosition& position) {
  if (!is_user_address_fault(fault) || position.column == 0 || position.column > position.text.size()) return false;
  return std::string_view{position.text}.substr(position.column - 1).starts_with("stringof");
}

}  // namespace

std::string_view fault_name(uint32_t code) {
  switch (code) {
    case DS_FAULT_BADADDR: return "invalid address";
    case DS_FAULT_BADALIGN: return "invalid alignment";
    case DS_FAULT_ILLOP: return "illegal operation";
    case DS_FAULT_DIVZERO: return "divide-by-zero";
    case DS_FAULT_NOSCRATCH: return "out of scratch space";
    case DS_FAULT_KPRIV: return "invalid kernel access";
    case DS_FAULT_UPRIV: return "invalid user access";
    case DS_FAULT_TUPOFLOW: return "tuple stack overflow";
    case DS_FAULT_BADSTACK: return "bad stack";
    case DS_FAULT_BADSIZE: return "invalid size";
    case DS_FAULT_BADINDEX: return "index out of bounds";
  }
  return "unknown fault";
}

bool is_user_address_fault(const ds_fault_record& fault) {
  constexpr uint64_t first_page = 4096, user_space_end = uint64_t{1} << 47;
  return fault.code == DS_FAULT_BADADDR && fault.value >= first_page && fault.value < user_space_end;
}

std::string fault_cause(const ds_fault_record& fault) {
  return fmt::format("{}{}", fault_name(fault.code), fault_detail(fault.code, fault.value));
}

// A size beyond scratchsize is one that a program has computed: if it is constant, the compiler raises scratchsize.
std::optional<uint64_t> needed_scratchsize(const ProgramPlan& plan, const ds_fault_record& fault) {
  constexpr uint64_t max_scratchsize = 1 << 30;
  auto size = static_cast<uint64_t>(std::max<int64_t>(plan.options.number(OptionId::Scratchsize), 0));
  if (fault.code != DS_FAULT_BADSIZE || fault.value <= size || fault.value > max_scratchsize) return std::nullopt;
  return std::bit_ceil(fault.value);
}

std::string action_error_text(const ProgramPlan& plan, const ds_record_header& header, std::string_view program_name,
                              std::string_view message) {
  return error_prefix(plan, header.clause, header.probe_row, program_name) + visible_text(message) + "\n";
}

std::string fault_text(const ProgramPlan& plan, const ds_fault_record& fault, std::string_view program_name,
                       bool show_line) {
  std::string text = error_prefix(plan, fault.clause, fault.header.probe_row, program_name);
  text += fault_cause(fault);
  if (fault.site != unknown_site) text += fmt::format(" at BPF pc {}", fault.site + 1);
  text += '\n';
  if (show_line && fault.site < plan.fault_sites.size()) {
    text += source_text(plan.fault_sites[fault.site]);
    if (is_stringof_user_address(fault, plan.fault_sites[fault.site]))
      text += "      = hint: an address of a process: copyinstr() is the text there\n";
  }
  return text;
}

}  // namespace dscope
