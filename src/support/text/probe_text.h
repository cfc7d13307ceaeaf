// Finds probe descriptions in the text of a program before it is parsed.
#pragma once

#include <cstddef>
#include <string_view>

namespace dscope {

// The length of the path at offset `at` of a text that begins with a probe description, such as
// pid$target:/lib/libc.so.6:f:entry; 0 if there is no path. A path is the second field, or the third behind an empty
// first one, and a colon follows it. No colon follows the `/` that begins a predicate.
size_t path_length_at(std::string_view text, size_t at);
// The length of the C++ syntax at offset `at` of such a text: parameters or template arguments with their brackets, or
// `~`; 0 if there is none.
size_t bracketed_length_at(std::string_view text, size_t at);
// The text before the first predicate, actions or semicolon. Messages use it as the name of a command-line program.
std::string_view leading_descriptions(std::string_view program);

}  // namespace dscope
