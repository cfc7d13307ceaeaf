#include "driver/run/messages.h"

#include <unistd.h>

#include <cstdlib>

#include "driver/command_line/command_line.h"
#include "support/print_message.h"

namespace dscope {

MessageStyle message_style(std::string_view program_name, std::string_view diagnostics) {
  if (diagnostics == "full") return MessageStyle::Full;
  if (diagnostics == "classic") return MessageStyle::Classic;
  if (isatty(STDERR_FILENO) != 0) return MessageStyle::Full;
  return is_dtrace_name(program_name) || is_testing() ? MessageStyle::Classic : MessageStyle::Hinted;
}

MessageStyle message_style(std::string_view program_name, const OptionValues& options) {
  return message_style(program_name, options.text(OptionId::Diagnostics));
}

int report(std::string_view program_name, const Error& error) {
  print_text(fmt::format("{}: {}\n", program_name, visible_text(error.message())));
  if (!error.hint_text().empty()) print_text(fmt::format("{}: {}\n", program_name, visible_text(error.hint_text())));
  return error.exit_status();
}

Error mistake(Error error, MessageStyle style) {
  if (style != MessageStyle::Classic) return error;
  return std::move(error).hint("");
}

bool is_testing() { return std::getenv("_DTRACE_TESTING") != nullptr; }

}  // namespace dscope
