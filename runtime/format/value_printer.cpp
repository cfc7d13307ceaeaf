#include "runtime/format/value_printer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "arch/architecture.h"
#include "contract/record_format.h"
#include "contract/stacks/stack_copy.h"
#include "runtime/format/append_text.h"
#include "runtime/format/copied_stack.h"
#include "runtime/format/value.h"
#include "support/text/format_join.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

// The first word of a UserAddr or UserStack has the process id in its low half.
uint32_t tgid_of(const Field& field, const std::byte* base) {
  return static_cast<uint32_t>(load_word(base + field.offset));
}

}  // namespace

std::string_view ValuePrinter::text(const Field& field, const std::byte* base) const {
  if (field.kind == FieldKind::Container)
    return symbols_->container_name(load_word(base + field.offset), field.container_part);
  if (field.kind != FieldKind::ProbeName) return text_of(field_bytes(field, base));
  uint64_t row = load_unsigned(base + field.offset, field.size);
  if (row >= plan_->probes.size()) return {};
  return member_of(plan_->probes[row], field.probe_part);
}

size_t ValuePrinter::max_text_size(const Field& field) const {
  if (field.kind == FieldKind::Container) return max_container_name_bytes;
  if (field.kind != FieldKind::ProbeName) return field.size;
  size_t longest = 0;
  for (const ProbePlan& probe : plan_->probes) longest = std::max(longest, member_of(probe, field.probe_part).size());
  return longest;
}

std::string ValuePrinter::enumerator_text(const Field& field, const std::byte* base) const {
  int64_t number = load_integer(field, base);
  auto type = static_cast<size_t>(field.printed_type);
  if (type >= plan_->printed_types.size()) return fmt::format("{}", number);
  return shown_name(dscope::enumerator_text(plan_->printed_types[type], number));
}

ValuePrinter ValuePrinter::for_keys(bool prints_as_dtrace) const {
  ValuePrinter printer = *this;
  printer.use_ = prints_as_dtrace ? Use::KeyAsDtrace : Use::Key;
  return printer;
}

ValuePrinter ValuePrinter::onto(const OutputStream& out) const {
  ValuePrinter printer = *this;
  printer.out_ = &out;
  return printer;
}

ValuePrinter ValuePrinter::exact() const {
  ValuePrinter printer = *this;
  printer.use_ = Use::Exact;
  return printer;
}

ValuePrinter::Masked ValuePrinter::masked() const {
  bool is_terminal = out_->is_terminal();
  // CSV quotes line ends, and folded output replaces them.
  bool masks_line_ends = use_ == Use::Key && format_ == OutputFormat::Text;
  if (use_ == Use::Exact || is_json(format_) || (!is_terminal && !masks_line_ends)) return Masked::Nothing;
  if (options_->is_on(OptionId::Rawtext)) return Masked::Nothing;
  if (!is_terminal) return Masked::LineEnds;
  return use_ == Use::Text ? Masked::Controls : Masked::ControlsAndLineEnds;
}

void ValuePrinter::append_text(std::string& out, std::string_view text) const {
  switch (masked()) {
    case Masked::Nothing: out.append(text); return;
    case Masked::LineEnds: return append_visible_line_ends(out, text);
    case Masked::Controls: return append_visible(out, text);
    case Masked::ControlsAndLineEnds: return append_visible_line(out, text);
  }
}

std::string ValuePrinter::shown_name(const std::string& name) const {
  return is_json(format_) ? name : visible_line(name);
}

void ValuePrinter::append_text_left(std::string& out, std::string_view text, size_t width) const {
  size_t start = out.size();
  append_text(out, text);
  size_t length = out.size() - start;
  if (length < width) append_blanks(out, width - length);
}

void ValuePrinter::append_text_right(std::string& out, std::string_view text, size_t width) const {
  if (masked() == Masked::Nothing) return append_right(out, text, width);
  std::string visible;
  append_text(visible, text);
  append_right(out, visible, width);
}

std::string ValuePrinter::user_object_offset(uint32_t tgid, uint64_t address) const {
  std::string module = symbols_->user_module(tgid, address);
  uint64_t start = symbols_->user_module_start(tgid, address);
  bool is_unknown = start == address && module.starts_with("0x");
  return shown_name(is_unknown ? module : fmt::format("{}:0x{:x}", module, address - start));
}

std::string ValuePrinter::user_text(uint32_t tgid, uint64_t address, bool with_offset) const {
  if (options_->is_on(OptionId::Noresolve)) return user_object_offset(tgid, address);
  return shown_name(symbols_->user_symbol(tgid, address, with_offset));
}

// All frames but the first are return addresses.
std::string ValuePrinter::user_frame_text(uint32_t tgid, uint64_t address, bool with_offset, bool is_first) const {
  if (is_first || options_->is_on(OptionId::Noresolve)) return user_text(tgid, address, with_offset);
  return shown_name(symbols_->user_caller(tgid, address, with_offset));
}

std::string ValuePrinter::symbol_text(const Field& field, const std::byte* base) const {
  if (field.kind == FieldKind::KernelAddr) {
    uint64_t address = load_word(base + field.offset);
    return shown_name(field.symbol == Action::Mod ? symbols_->kernel_module(address)
                                                  : symbols_->kernel_symbol(address, false));
  }
  uint64_t address = load_word(base + field.offset + 8);
  uint32_t tgid = tgid_of(field, base);
  if (field.symbol == Action::Umod) return shown_name(symbols_->user_module(tgid, address));
  return user_text(tgid, address, field.symbol == Action::Uaddr);
}

std::string ValuePrinter::kernel_address_text(uint64_t address) const {
  return shown_name(symbols_->kernel_symbol(address, true));
}

std::string ValuePrinter::target_address_text(uint64_t address) const { return user_text(target_tgid_, address, true); }

// From the copy in the record, or from the one that the number above the process id refers to.
std::vector<uint64_t> ValuePrinter::unwound(const Field& field, const std::byte* base) const {
  const std::byte* frames = base + field.offset + 8;
  if (!field.has_copy) {
    auto number = static_cast<uint32_t>(load_word(base + field.offset) >> 32);
    NumberedStacks* stacks = symbols_->numbered_stacks();
    if (number == 0 || stacks == nullptr) return {};
    std::span<const uint64_t> found = stacks->find(number);
    return {found.begin(), found.begin() + static_cast<ptrdiff_t>(std::min<size_t>(found.size(), field.frames))};
  }
  size_t frame_bytes = size_t{field.frames} * 8;
  return unwind_copy(*symbols_, {.process = tgid_of(field, base),
                                 .bytes = {frames + frame_bytes, field.size - 8 - frame_bytes},
                                 .first = load_word(frames),
                                 .second = field.frames > 1 ? load_word(frames + 8) : 0,
                                 .max_frames = field.frames});
}

std::vector<uint64_t> ValuePrinter::frames(const Field& field, const std::byte* base) const {
  bool is_user = field.kind == FieldKind::UserStack;
  std::vector<uint64_t> result;
  if (is_user) result = unwound(field, base);
  if (!result.empty()) return result;
  for (uint32_t at = is_user ? 8 : 0; at + 8 <= field.size; at += 8) {
    uint64_t pc = load_word(base + field.offset + at);
    if (pc == 0) break;
    if (result.empty() && !is_user && symbols_->is_tracer_frame(pc)) continue;
    if (field.frames != 0 && result.size() == field.frames) break;
    // Functions without frame pointers use the register for data, so the chain ends in any number.
    if (is_user && !result.empty() && !symbols_->may_be_code(tgid_of(field, base), pc)) break;
    result.push_back(pc);
  }
  return result;
}

std::vector<std::string> ValuePrinter::frame_texts(const Field& field, const std::byte* base, bool with_offset) const {
  bool is_user = field.kind == FieldKind::UserStack;
  uint32_t tgid = is_user ? tgid_of(field, base) : 0;
  std::vector<std::string> texts;
  bool is_first = true;
  for (uint64_t pc : frames(field, base)) {
    texts.push_back(is_user    ? user_frame_text(tgid, pc, with_offset, is_first)
                    : is_first ? shown_name(symbols_->kernel_symbol(pc, with_offset))
                               : shown_name(symbols_->kernel_caller(pc, with_offset)));
    is_first = false;
  }
  return texts;
}

std::string ValuePrinter::folded_stack(const Field& field, const std::byte* base) const {
  std::vector<std::string> frames = frame_texts(field, base, /*with_offset=*/false);
  // Names of Java and Rust may have the separator of the frames.
  for (std::string& frame : frames) std::ranges::replace(frame, ';', '_');
  return fmt::format("{}", fmt::join(frames.rbegin(), frames.rend(), ";"));
}

// Frames with their source positions. All frames but the first are return addresses, so the call is 1 byte before.
std::vector<std::string> ValuePrinter::frame_lines(const Field& field, const std::byte* base) const {
  uint32_t tgid = tgid_of(field, base);
  std::vector<std::string> lines;
  bool is_first = true;
  for (uint64_t pc : frames(field, base)) {
    std::vector<std::string> source = symbols_->user_source(tgid, is_first ? pc : pc - 1);
    std::string text = user_frame_text(tgid, pc, true, is_first);
    is_first = false;
    if (!source.empty()) {
      text += fmt::format(" ({})", visible_line(source.back()));
      source.pop_back();
    }
    for (const std::string& inlined : source) lines.push_back(visible_line(inlined));
    lines.push_back(std::move(text));
  }
  return lines;
}

void ValuePrinter::append_stack(std::string& out, const Field& field, const std::byte* base, FrameLayout layout) const {
  out += '\n';
  bool has_lines = field.kind == FieldKind::UserStack && options_->is_on(OptionId::Ustacklines);
  for (const std::string& text : has_lines ? frame_lines(field, base) : frame_texts(field, base, true)) {
    append_blanks(out, layout.indent);
    append_text_right(out, text, layout.width);
    out += '\n';
  }
}

uint64_t ValuePrinter::canonical_address(const Field& field, const std::byte* base) const {
  if (field.kind == FieldKind::KernelAddr) {
    uint64_t address = load_word(base + field.offset);
    return field.symbol == Action::Mod ? symbols_->kernel_module_start(address)
                                       : symbols_->kernel_symbol_start(address);
  }
  uint64_t address = load_word(base + field.offset + 8);
  uint32_t tgid = tgid_of(field, base);
  if (field.symbol == Action::Umod) return symbols_->user_module_start(tgid, address);
  // Unresolved addresses print their offset: only equal addresses print equal.
  bool keeps_offset = field.symbol == Action::Uaddr || options_->is_on(OptionId::Noresolve);
  return keeps_offset ? address : symbols_->user_symbol_start(tgid, address);
}

}  // namespace dscope
