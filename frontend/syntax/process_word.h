// Names of the types of a process: pid123`foo, pid$target`libc.so.6`FILE, pid1`ns::Foo<int>. The lexer takes them for
// one word, although none of C's words holds such characters.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// Length of such a name at the start of `text`, 0 if there is none there.
size_t process_word_length(std::string_view text);
// Whether a word that was lexed is one.
bool is_process_word(std::string_view word);
// What stands for the number of the process: "123", "$target", "$1", or nothing, which means the target.
std::string_view process_of(std::string_view word);
// Where the mark is that ends the module and precedes the type: the last one.
size_t end_of_process_module(std::string_view word);

}  // namespace dscope
