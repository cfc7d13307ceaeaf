// ValuePrinter: text of traced values that need more than their bytes: strings made safe for terminals, probe names,
// addresses (consumer-and-actions.md 3.10) and stacks (3.8, 4.4).
#pragma once

#include <string>
#include <string_view>

#include "catalog/option_values.h"
#include "contract/program_plan.h"
#include "runtime/format/output_stream.h"
#include "runtime/format/symbolizer.h"

namespace dscope {

// How the frames of a stack are laid out: each line is `indent` blanks and the frame padded to `width` from the left.
struct FrameLayout {
  size_t indent = 0;
  size_t width = 0;
};

class ValuePrinter {
 public:
  // The references outlive the printer; `options` may change meanwhile.
  ValuePrinter(const ProgramPlan& plan, const OptionValues& options, Symbolizer& symbols, uint32_t target_tgid,
               const OutputStream& out)
      : plan_(&plan), options_(&options), symbols_(&symbols), target_tgid_(target_tgid), out_(&out) {}

  // Text of a String, of Bytes up to the first NUL, or of the probe part a ProbeName stands for.
  std::string_view text(const Field& field, const std::byte* base) const;
  // Name of an Integer of an enumeration; the number if it has none.
  std::string enumerator_text(const Field& field, const std::byte* base) const;
  // Appends traced text: as it is, or with visible control characters if people watch.
  void append_text(std::string& out, std::string_view text) const;
  void append_text_left(std::string& out, std::string_view text, size_t width) const;
  void append_text_right(std::string& out, std::string_view text, size_t width) const;

  // Text of a KernelAddr or UserAddr as its `symbol` says.
  std::string symbol_text(const Field& field, const std::byte* base) const;
  std::string kernel_address_text(uint64_t address) const;
  std::string target_address_text(uint64_t address) const;

  // A newline, then one line per frame of a Stack or UserStack.
  void append_stack(std::string& out, const Field& field, const std::byte* base, FrameLayout layout) const;
  // The frames append_stack shows: without the leading ones of the tracer, at most as many as asked for.
  std::vector<uint64_t> frames(const Field& field, const std::byte* base) const;

  // Their names, innermost first.
  std::vector<std::string> frame_texts(const Field& field, const std::byte* base, bool with_offset) const;

  // What sym(), mod(), usym() and umod() keys are grouped by; other addresses as they are.
  uint64_t canonical_address(const Field& field, const std::byte* base) const;

  const OptionValues& options() const { return *options_; }

 private:
  std::vector<uint64_t> unwound(const Field& field, const std::byte* base) const;
  std::vector<std::string> frame_lines(const Field& field, const std::byte* base) const;
  std::string user_text(uint32_t tgid, uint64_t address, bool with_offset) const;
  std::string user_frame_text(uint32_t tgid, uint64_t address, bool with_offset, bool is_first) const;
  std::string user_object_offset(uint32_t tgid, uint64_t address) const;

  const ProgramPlan* plan_;
  const OptionValues* options_;
  Symbolizer* symbols_;
  uint32_t target_tgid_;
  const OutputStream* out_;  // where the text is going to
};

}  // namespace dscope
