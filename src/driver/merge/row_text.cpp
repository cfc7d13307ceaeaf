#include "driver/merge/row_text.h"

#include "driver/merge/aggregation_part.h"

namespace dscope {

namespace {

// Each value of trace() and of other actions without a format.
void append_value(std::string& out, const Json& value) {
  if (!out.empty() && !out.ends_with('\n')) out += ' ';
  out += value.is_string() ? traced_text(value) : value.dump();
}

void append_frames(std::string& out, const Json& frames) {
  constexpr std::string_view indent = "              ";
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  for (const Json& frame : frames) {
    bool has_symbol = frame.is_object() && frame.contains("symbol") && frame["symbol"].is_string();
    out += indent;
    out += has_symbol ? traced_text(frame["symbol"]) : frame.dump();
    out += '\n';
  }
}

void append_item(std::string& out, const Json& item) {
  auto first = item.begin();
  if (first == item.end()) return;
  bool is_stack = (first.key() == "stack-frames" || first.key() == "ustack-frames") && first->is_array();
  if (is_stack) append_frames(out, *first);
  else append_value(out, *first);
}

}  // namespace

std::string row_text(const Json& output) {
  std::string text;
  bool is_after_message = false;
  for (const Json& item : output) {
    if (!item.is_object()) continue;
    auto message = item.find("message");
    if (message != item.end() && message->is_string()) {
      text += traced_text(*message);
      is_after_message = true;
    } else if (!is_after_message || !item.contains("value")) {
      append_item(text, item);
      is_after_message = false;
    }
  }
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace dscope
