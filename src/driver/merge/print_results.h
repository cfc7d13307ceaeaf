// Prints merged results in the format that the options choose, with the code that prints a run.
#pragma once

#include <optional>
#include <string>

#include "catalog/option_values.h"
#include "driver/merge/merged_results.h"
#include "runtime/format/output_stream.h"

namespace dscope {

struct PrintSettings {
  std::string program_name = "dscope";    // prefix of messages
  bool prints_as_dtrace = false;          // programs that know DTrace's output may read it
  std::optional<size_t> line_width = {};  // columns of the terminal, if a person reads the output on one
};

// Whether --merge can print this format: text, json, csv or folded.
Result<> check_merge_format(const OptionValues& options);

// Rows, then aggregations. `messages` receives what the format leaves out.
void print_results(const MergedResults& results, const OptionValues& options, const PrintSettings& settings,
                   OutputStream& out, OutputStream& messages);

}  // namespace dscope
