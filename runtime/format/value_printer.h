// ValuePrinter: text of traced values that depend on more than their bytes: strings made safe for terminals, probe
// names, addresses and stacks (consumer-and-actions.md 3.8, 3.10 and 4.4).
#pragma once

#include <string>
#include <string_view>

#include "catalog/option_values.h"
#include "contract/program_plan.h"
#include "runtime/format/output_format.h"
#include "runtime/format/output_stream.h"
#include "runtime/format/symbolizer.h"

namespace dscope {

// Layout of a stack: each line is `indent` blanks and the frame, right-justified in `width` characters.
struct FrameLayout {
  size_t indent = 0;
  size_t width = 0;
};

class ValuePrinter {
 public:
  // Names of functions, modules and source files are always printed visibly, except in JSON, which escapes them itself.

  // The references must outlive the printer. `options` may change between calls.
  ValuePrinter(const ProgramPlan& plan, const OptionValues& options, Symbolizer& symbols, uint32_t target_tgid,
               const OutputStream& out)
      : plan_(&plan),
        options_(&options),
        format_(output_format(options)),
        symbols_(&symbols),
        target_tgid_(target_tgid),
        out_(&out) {}

  // The text of a String, of Bytes up to the first NUL, or what the number of a ProbeName or Container
  // stands for.
  std::string_view text(const Field& field, const std::byte* base) const;
  // The enumerator of an Integer of an enumeration type; the number if there is none.
  std::string enumerator_text(const Field& field, const std::byte* base) const;
  // The printer of aggregation keys: a key must not look like a second row. It makes line ends visible, unless
  // `prints_as_dtrace` and the output is not a terminal.
  ValuePrinter for_keys(bool prints_as_dtrace) const;
  // The printer of texts that people read on `out`, another stream than that of the rows.
  ValuePrinter onto(const OutputStream& out) const;
  // A printer that leaves all traced text as it is, for texts that are no output: commands and paths.
  ValuePrinter exact() const;

  // Bytes of the longest text() of the field.
  size_t max_text_size(const Field& field) const;

  // Appends traced text; makes control characters visible if the output is a terminal and option rawtext is off.
  void append_text(std::string& out, std::string_view text) const;
  // True while append_text() makes no characters visible.
  bool prints_text_unchanged() const { return masked() == Masked::Nothing; }
  // append_text(), left- or right-justified in `width` characters.
  void append_text_left(std::string& out, std::string_view text, size_t width) const;
  void append_text_right(std::string& out, std::string_view text, size_t width) const;

  // The text of a KernelAddr or UserAddr in the form of the action in its `symbol`.
  std::string symbol_text(const Field& field, const std::byte* base) const;
  std::string kernel_address_text(uint64_t address) const;
  std::string target_address_text(uint64_t address) const;

  // Appends a newline, then one line per frame of a Stack or UserStack.
  void append_stack(std::string& out, const Field& field, const std::byte* base, FrameLayout layout) const;
  // The addresses that append_stack() prints: without leading frames of the tracer, at most Field::frames.
  std::vector<uint64_t> frames(const Field& field, const std::byte* base) const;

  // The names of frames(), innermost first.
  std::vector<std::string> frame_texts(const Field& field, const std::byte* base, bool with_offset) const;

  // frame_texts() without offsets, joined by `;` from the outermost to the innermost: the input of flame graph tools.
  std::string folded_stack(const Field& field, const std::byte* base) const;

  // The address that identifies a key: for sym(), mod(), usym() and umod() the start of the symbol or module, else the
  // address itself.
  uint64_t canonical_address(const Field& field, const std::byte* base) const;

  const OptionValues& options() const { return *options_; }

 private:
  enum class Use : uint8_t { Text, Key, KeyAsDtrace, Exact };
  // Which characters append_text() makes visible.
  enum class Masked : uint8_t { Nothing, LineEnds, Controls, ControlsAndLineEnds };
  Masked masked() const;
  std::string shown_name(const std::string& name) const;

  std::vector<uint64_t> unwound(const Field& field, const std::byte* base) const;
  std::vector<std::string> frame_lines(const Field& field, const std::byte* base) const;
  std::string user_text(uint32_t tgid, uint64_t address, bool with_offset) const;
  std::string user_frame_text(uint32_t tgid, uint64_t address, bool with_offset, bool is_first) const;
  std::string user_object_offset(uint32_t tgid, uint64_t address) const;

  const ProgramPlan* plan_;
  const OptionValues* options_;
  OutputFormat format_;
  Symbolizer* symbols_;
  uint32_t target_tgid_;
  const OutputStream* out_;  // decides whether control characters are made visible
  Use use_ = Use::Text;
};

}  // namespace dscope
