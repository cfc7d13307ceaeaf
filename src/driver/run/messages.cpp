#include "driver/run/messages.h"

#include <unistd.h>

#include <cstdlib>

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

MessageStyle message_style(std::string_view diagnostics) {
  bool is_full = diagnostics == "full" || (diagnostics != "classic" && isatty(STDERR_FILENO) != 0);
  return is_full ? MessageStyle::Full : MessageStyle::Classic;
}

MessageStyle message_style(const OptionValues& options) { return message_style(options.text(OptionId::Diagnostics)); }

int report(std::string_view program_name, const Error& error) {
  print_message("{}: {}\n", program_name, error.message());
  if (!error.hint_text().empty()) print_message("{}: {}\n", program_name, error.hint_text());
  return error.exit_status();
}

int report(std::string_view program_name, const OptionValues& options, const Diagnostics& diagnostics) {
  bool shows_tags = options.is_on(OptionId::Errtags);
  if (message_style(options) == MessageStyle::Full)
    print_message("{}", render_full(diagnostics, program_name, shows_tags,
                                    advice(diagnostics, solaris_library(options)), describe_terminal(STDERR_FILENO)));
  else print_message("{}", render(diagnostics, program_name, shows_tags));
  return 1;
}

Error mistake(Error error, MessageStyle style) {
  if (style == MessageStyle::Full) return error;
  return std::move(error).hint("");
}

bool is_testing() { return std::getenv("_DTRACE_TESTING") != nullptr; }

}  // namespace dscope
