// Probe descriptions within the text of a program, before it is parsed.
#pragma once

#include <cstddef>
#include <string_view>

namespace dscope {

// Length of a path that begins at `at` of a text that begins with a probe description:
// pid$target:/lib/libc.so.6:f:entry. It is the second field, or the third behind an empty one, and ends at the next
// colon; what a predicate begins with is not followed by one. 0: none.
size_t path_length_at(std::string_view text, size_t at);
// Length of what begins at `at` of such a text and is only in names of C++: parameters and template arguments with
// their brackets, and `~`; 0: it is none of that.
size_t bracketed_length_at(std::string_view text, size_t at);
// What stands before the first predicate, actions or semicolon: how messages name a program of the command line.
std::string_view leading_descriptions(std::string_view program);

}  // namespace dscope
