// Runs cpp(1) over one script (-C, consumer-and-actions.md 9.5) as a child process. In: the script's text and cpp's
// options. Out: its output with line markers. Called by the driver before anything is parsed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/option_values.h"
#include "support/result.h"

namespace dscope {

// The maximum size of a preprocessed script in bytes. dscope kills a preprocessor that writes more.
inline constexpr size_t max_preprocessed_bytes = size_t{64} << 20;

// The language that the output is parsed as. For D, __GNUC__ is undefined; headers then omit attributes that decide the
// layout of their types.
enum class PreprocessedFor : uint8_t { D, C };

// Returns the arguments of cpp(1) without its name, input and output: the predefined names, then the arguments from the
// options, in order. cpp searches `directory` for #include "..." before the directories of the options; may be empty.
std::vector<std::string> preprocessor_arguments(const OptionValues& options, const std::string& directory,
                                                PreprocessedFor reader = PreprocessedFor::D);

// Encodes a D version for the macro __SUNW_D_VERSION: 8 bits, 12 bits, 12 bits. "2.0" is 0x02000000.
uint32_t encoded_version(std::string_view version);

// Preprocesses a script, with its leading #! line blanked. `path` is the script's name on the command line. cpp's own
// messages go to stderr, except in the second run, for C. Errors have the classic texts, such as "Preprocessor not
// found".
Result<std::string> preprocess(const std::string& path, std::string text, const OptionValues& options,
                               PreprocessedFor reader = PreprocessedFor::D);

}  // namespace dscope
