// Names of the types of a process: pid123`foo, pid$target`libc.so.6`FILE, pid1`ns::Foo<int>. The lexer reads such a
// name as one word, although no word of C contains these characters.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// Returns the length of such a name at the start of `text`; 0 if there is none.
size_t process_word_length(std::string_view text);
// Whether a lexed word is such a name.
bool is_process_word(std::string_view word);
// Returns the process part: "123", "$target", "$1", or "" for the target.
std::string_view process_of(std::string_view word);
// Returns the offset of the last backquote, which separates the module from the type.
size_t end_of_process_module(std::string_view word);

}  // namespace dscope
