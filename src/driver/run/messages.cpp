#include "driver/run/messages.h"

#include <unistd.h>

#include <cstdlib>

#include "driver/command_line/command_line.h"
#include "driver/compile/library_files.h"
#include "driver/run/terminal.h"
#include "frontend/advice/advice.h"
#include "support/print_message.h"

namespace dscope {

namespace {

// The D library that option compat=solaris adds, for hints; empty if the program uses it.
std::string solaris_library(const OptionValues& options) {
  if (options.dialect().emulates_solaris_names()) return {};
  return read_text(fmt::format("{}/solaris.d", library_directory())).value_or("");
}

}  // namespace

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

int report(std::string_view program_name, const OptionValues& options, const Diagnostics& diagnostics) {
  bool shows_tags = options.is_on(OptionId::Errtags);
  MessageStyle style = message_style(program_name, options);
  std::vector<std::string> hints;
  if (style != MessageStyle::Classic) hints = advice(diagnostics, solaris_library(options));
  if (style == MessageStyle::Full) {
    print_text(render_full(diagnostics, program_name, shows_tags, hints, describe_terminal(STDERR_FILENO)));
    return 1;
  }
  print_text(render(diagnostics, program_name, shows_tags));
  for (const std::string& hint : hints) print_text(fmt::format("{}: hint: {}\n", program_name, visible_text(hint)));
  return 1;
}

Error mistake(Error error, MessageStyle style) {
  if (style != MessageStyle::Classic) return error;
  return std::move(error).hint("");
}

bool is_testing() { return std::getenv("_DTRACE_TESTING") != nullptr; }

}  // namespace dscope
