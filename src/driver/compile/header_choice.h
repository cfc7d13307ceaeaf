// Decides which parser reads each included header: the D parser or a C compiler. Called by compile() for each
// preprocessed script (docs/decisions/0010-headers-are-read-by-d-or-by-clang.md).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "catalog/option_values.h"
#include "contract/host.h"
#include "headers/c_headers.h"

namespace dscope {

struct ChosenText {
  std::string text;             // for the D parser
  bool lacks_libclang = false;  // `text` contains C headers because libclang is not installed
};

// Preprocesses the same script as GNU C; nullopt if that fails.
using PreprocessForC = std::function<std::optional<std::string>()>;

// Removes the C headers from `text`, a preprocessed script, and adds those that the script uses to `headers`.
ChosenText choose_headers(std::string text, const PreprocessForC& preprocess_for_c, const OptionValues& options,
                          Host& host, CHeaders& headers);

}  // namespace dscope
