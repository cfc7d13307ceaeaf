// RowPrinter: the header line, row prefixes and row ends of the default, quiet, flow-indented and test formats
// (consumer-and-actions.md 1.3 to 1.5).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/option_values.h"
#include "contract/program_plan.h"
#include "contract/record_format.h"

namespace dscope {

class RowPrinter {
 public:
  // Demangles a function name for call trees.
  using Demangle = std::function<std::string(std::string_view name)>;
  struct Style {
    bool is_testing = false;    // no columns CPU and ID
    bool fits_columns = false;  // the column FUNCTION:NAME is as wide as the names of the probes, for terminals
  };
  // The references must outlive the printer. Options quiet and flowindent may change between rows.
  RowPrinter(const ProgramPlan& plan, const OptionValues& options, Style style, Demangle demangle);

  // Resets flow indentation on every CPU.
  void begin_pass();
  // Appends the prefix of a row, after the header line if this is the first row. `header.probe_row` exists.
  void begin_row(std::string& out, const ds_record_header& header);
  void end_row(std::string& out) const;

  // The bytes that write_prefix() and a newline need at most. Nothing if the header line comes first.
  std::optional<size_t> frame_size(uint32_t probe_row);
  // Writes what begin_row() appends, while options quiet and flowindent are off. Call frame_size() first. Returns the
  // end.
  char* write_prefix(char* out, const ds_record_header& header) const;

 private:
  enum class Flow : uint8_t { None, Entry, Return };
  struct FlowState {
    size_t indent = 0;
    uint32_t probe_row = ~0u, clause = ~0u;  // of the previous row on this CPU
  };

  static Flow flow_of(const ProbePlan& probe);
  void append_header(std::string& out) const;
  void append_cpu(std::string& out, uint32_t cpu) const;
  void append_name(std::string& out, const ProbePlan& probe) const;
  // The text of append_name().
  const std::string& name_columns(uint32_t probe_row);
  void append_flow_name(std::string& out, const ds_record_header& header);
  const std::string& demangled_function(uint32_t probe_row);
  FlowState& flow_state(uint32_t cpu);

  const ProgramPlan* plan_;
  const OptionValues* options_;
  Style style_;
  Demangle demangle_;
  std::unordered_map<uint32_t, std::string> demangled_functions_;  // by probe row
  std::vector<std::string> name_columns_;                          // by probe row; empty: not made yet
  bool has_header_ = false;                                        // the header line has been written
  size_t name_width_;                                              // of the column FUNCTION:NAME
  std::vector<FlowState> flow_states_;                             // by CPU
};

}  // namespace dscope
