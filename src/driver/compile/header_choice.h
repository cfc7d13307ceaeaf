// Who reads an included header: our own parser, which knows D, or a C compiler. Called by compile() for each script
// that was preprocessed (docs/decisions/0010-headers-are-read-by-d-or-by-clang.md).
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
  bool lacks_libclang = false;  // there are C headers, but nothing that reads them: they are in `text`
};

// Gives the same script preprocessed as GNU C; nothing if that fails.
using PreprocessForC = std::function<std::optional<std::string>()>;

// `text` is a preprocessed script. Its C headers are taken out of it and added to `headers`, if it can use them.
ChosenText choose_headers(std::string text, const PreprocessForC& preprocess_for_c, const OptionValues& options,
                          Host& host, CHeaders& headers);

}  // namespace dscope
