// How the process of an import is started, and what it answers.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// The descriptors of the process: the foreign file or directory, and the empty file for the capture. It answers on
// standard output.
inline constexpr int import_input_fd = 3, import_output_fd = 4;

// The kinds of files, its first argument. The second one is the path, for those that a library opens.
inline constexpr std::string_view perf_data_kind = "perf.data", trace_dat_kind = "trace.dat", ctf_kind = "CTF";

// The answer is two texts, each ended by a NUL. After a success: "" and a sentence about a damage, which may be empty.
// After a failure: the message and the hint.
struct ImportAnswer {
  std::string message, note;
};

}  // namespace dscope
