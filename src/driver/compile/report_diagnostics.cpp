#include "driver/compile/report_diagnostics.h"

#include <unistd.h>

#include "driver/compile/library_files.h"
#include "driver/run/messages.h"
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

}  // namespace dscope
