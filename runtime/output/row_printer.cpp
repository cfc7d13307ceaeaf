#include "runtime/output/row_printer.h"

#include <algorithm>
#include <utility>

#include "runtime/format/append_text.h"
#include "runtime/format/write_number.h"
#include "runtime/output/record_decoder.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

// True if `word` is the whole name or its last dash-separated part. Like the reference, looks at the first occurrence
// of `word` only.
bool has_last_part(std::string_view name, std::string_view word) {
  size_t at = name.find(word);
  return at != std::string_view::npos && at + word.size() == name.size() && (at == 0 || name[at - 1] == '-');
}

// OptionValues::is_on(), inline because each row asks.
bool is_on(const OptionValues& options, OptionId id) { return options.number(id) > 0; }

constexpr std::string_view name_title = "FUNCTION:NAME";
constexpr size_t max_name_width = 32;
constexpr size_t max_cpu_text = max_digits + 1;

// The width of the longest name of a probe, within the limits of the column.
size_t longest_name(const ProgramPlan& plan) {
  size_t longest = name_title.size();
  for (const ProbePlan& probe : plan.probes) longest = std::max(longest, probe.function.size() + 1 + probe.name.size());
  return std::min(longest, max_name_width);
}

}  // namespace

RowPrinter::RowPrinter(const ProgramPlan& plan, const OptionValues& options, Style style, Demangle demangle)
    : plan_(&plan),
      options_(&options),
      style_(style),
      demangle_(std::move(demangle)),
      name_width_(style.fits_columns ? longest_name(plan) : max_name_width) {}

void RowPrinter::begin_pass() { flow_states_.assign(flow_states_.size(), {}); }

void RowPrinter::begin_row(std::string& out, const ds_record_header& header) {
  bool is_flow = is_on(*options_, OptionId::Flowindent);
  if (is_on(*options_, OptionId::Quiet) && !is_flow) return;
  if (!has_header_) append_header(out);
  has_header_ = true;
  if (is_flow) {
    append_cpu(out, header.cpu);
    append_flow_name(out, header);
  } else {
    append_cpu(out, header.cpu);
    out += name_columns(header.probe_row);
  }
  out += ' ';
}

void RowPrinter::end_row(std::string& out) const {
  if (!is_on(*options_, OptionId::Quiet)) out += '\n';
}

std::optional<size_t> RowPrinter::frame_size(uint32_t probe_row) {
  if (!has_header_) return std::nullopt;
  return max_cpu_text + name_columns(probe_row).size() + 2;
}

char* RowPrinter::write_prefix(char* out, const ds_record_header& header) const {
  if (!style_.is_testing) {
    size_t digits = count_digits(header.cpu);
    for (size_t length = digits; length < 3; ++length) *out++ = ' ';
    out = write_decimal(out, header.cpu, digits);
    *out++ = ' ';
  }
  const std::string& name = name_columns_[header.probe_row];
  out += name.copy(out, name.size());
  *out++ = ' ';
  return out;
}

void RowPrinter::append_header(std::string& out) const {
  if (options_->is_on(OptionId::Flowindent)) {
    if (!style_.is_testing) out += "CPU ";
    append_left(out, "FUNCTION", 41);
  } else {
    if (!style_.is_testing) out += "CPU     ID ";
    append_right(out, name_title, name_width_);
  }
  out += '\n';
}

void RowPrinter::append_cpu(std::string& out, uint32_t cpu) const {
  if (style_.is_testing) return;
  append_unsigned(out, cpu, 3);
  out += ' ';
}

void RowPrinter::append_name(std::string& out, const ProbePlan& probe) const {
  if (!style_.is_testing) {
    append_unsigned(out, probe.id, 6);
    out += ' ';
  }
  size_t start = out.size();
  append_visible_line(out, probe.function);
  out += ':';
  append_visible_line(out, probe.name);
  size_t length = out.size() - start;
  if (length < name_width_) out.insert(start, name_width_ - length, ' ');
}

const std::string& RowPrinter::name_columns(uint32_t probe_row) {
  // A running program may gain probes.
  if (probe_row >= name_columns_.size()) name_columns_.resize(plan_->probes.size());
  std::string& columns = name_columns_[probe_row];
  if (columns.empty()) append_name(columns, plan_->probes[probe_row]);
  return columns;
}

RowPrinter::Flow RowPrinter::flow_of(const ProbePlan& probe) {
  if (has_last_part(probe.name, "entry")) return Flow::Entry;
  if (has_last_part(probe.name, "return")) return Flow::Return;
  return Flow::None;
}

RowPrinter::FlowState& RowPrinter::flow_state(uint32_t cpu) {
  size_t index = cpu < max_record_cpus ? cpu : 0;
  if (index >= flow_states_.size()) flow_states_.resize(index + 1);
  return flow_states_[index];
}

const std::string& RowPrinter::demangled_function(uint32_t probe_row) {
  const std::string& name = plan_->probes[probe_row].function;
  bool may_be_mangled = name.starts_with("_Z") || name.starts_with("_R");
  if (!may_be_mangled || style_.is_testing) return name;
  auto [entry, is_new] = demangled_functions_.try_emplace(probe_row);
  if (is_new) entry->second = demangle_(name);
  return entry->second;
}

void RowPrinter::append_flow_name(std::string& out, const ds_record_header& header) {
  const ProbePlan& probe = plan_->probes[header.probe_row];
  FlowState& state = flow_state(header.cpu);
  Flow flow = flow_of(probe);
  // The second clause of one firing is not indented again.
  if (flow == Flow::Entry && state.probe_row == header.probe_row && state.clause != header.clause) flow = Flow::None;
  if (flow == Flow::Return) state.indent -= std::min<size_t>(state.indent, 2);

  size_t start = out.size();
  append_blanks(out, state.indent);
  switch (flow) {
    case Flow::Entry: out += probe.is_system_call ? " => " : " -> "; break;
    case Flow::Return: out += probe.is_system_call ? " <= " : " <- "; break;
    case Flow::None: out += "| "; break;
  }
  append_visible_line(out, demangled_function(header.probe_row));
  if (flow == Flow::None) {
    out += ':';
    append_visible_line(out, probe.name);
  }
  size_t length = out.size() - start;
  if (length < 41) append_blanks(out, 41 - length);

  if (flow == Flow::Entry) state.indent += 2;
  state.probe_row = header.probe_row;
  state.clause = header.clause;
}

}  // namespace dscope
