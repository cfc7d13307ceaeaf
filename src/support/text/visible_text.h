// Text of others that is safe to print: names of processes, files and symbols, traced strings. A character that could
// control the terminal becomes visible as by cat -v: "^[", "M-^A". Printable UTF-8 stays as it is.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// True for characters that control a terminal or reorder the text on it: C0 and C1 controls, delete, line and paragraph
// separators, and marks that change the text direction.
bool is_terminal_control(char32_t code);

// Makes control characters and bytes that are not UTF-8 visible. Keeps newlines and tabs.
void append_visible(std::string& out, std::string_view text);
std::string visible_text(std::string_view text);

// As visible_text(), and makes newlines and tabs visible too, so that a name cannot leave its line or its column.
void append_visible_line(std::string& out, std::string_view text);
std::string visible_line(std::string_view text);

// Makes only the characters visible that end a line: newline, vertical tab, form feed and carriage return.
void append_visible_line_ends(std::string& out, std::string_view text);

// Replaces control characters in JSON by \u escapes, which do not change its value.
std::string without_controls_in_json(std::string json);

}  // namespace dscope
