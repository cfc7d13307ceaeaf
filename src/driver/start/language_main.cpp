// The program for editors and shells: dscope executes it for --fmt, --lsp and --complete. It links no compiler back
// end and traces nothing.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "arch/architecture.h"
#include "codegen/core/demangle.h"
#include "driver/command_line/command_line.h"
#include "driver/language/format_files.h"
#include "driver/lsp/language_server.h"
#include "driver/run/messages.h"
#include "driver/run/standard_streams.h"
#include "driver/shell/shell_completion.h"
#include "runtime/kernel/machine_record.h"
#include "runtime/providers/live_host.h"
#include "support/catch_exceptions.h"
#include "support/print_message.h"

namespace dscope {

namespace {

using Arguments = std::span<const char* const>;

std::unique_ptr<Host> make_host() {
  return make_live_host({.read_code = native_architecture().read_code,
                         .demangle = demangle,
                         .demangle_with_parameters = demangle_with_parameters},
                        ProcessRows::Each);
}

// The options behind --lsp: those of a compilation, such as --facts, -L and -x.
Result<CommandLine> parse_server_options(const char* program, Arguments arguments) {
  std::vector<const char*> words{program, "-e"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto parsed = parse_command_line(words);
  if (!parsed) {
    print_text(visible_text(parsed.error().text));
    return fail(Error("--lsp takes only options for compiling: --facts, -L, -I, -D, -x").status(2));
  }
  if (!parsed->programs.empty() || !parsed->operands.empty())
    return fail(Error("--lsp takes no programs: editors send them").status(2));
  return std::move(*parsed);
}

Result<int> serve_editor(const char* program, Arguments arguments) {
  DS_TRY(CommandLine base, parse_server_options(program, arguments));
  std::unique_ptr<MachineInUse> machine;
  if (!base.facts_file.empty()) {
    DS_TRY(machine, MachineInUse::open(base.facts_file));
  }
  LanguageServer server(std::move(base), make_host);
  return run_language_server(server, STDIN_FILENO, STDOUT_FILENO);
}

Result<int> run_command(Arguments arguments, std::string_view name) {
  std::string_view command = arguments.size() > 1 ? arguments[1] : "";
  if (command == "--lsp") return serve_editor(arguments[0], arguments.subspan(2));
  if (command == "--complete") return print_completions(arguments.subspan(2), make_host);
  if (command.starts_with("--fmt")) return format_files(name, arguments.subspan(1));
  return fail(Error("this program runs as `dscope --fmt`, `dscope --lsp` and `dscope --complete`").status(2));
}

}  // namespace

}  // namespace dscope

int main(int argc, char** argv) {
  dscope::open_missing_streams();
  ::signal(SIGPIPE, SIG_IGN);
  std::string_view name = argc > 0 ? argv[0] : "dscope";
  name.remove_prefix(name.rfind('/') + 1);
  dscope::Arguments arguments{const_cast<const char* const*>(argv), static_cast<size_t>(argc)};
  auto status = dscope::catch_exceptions([&] { return dscope::run_command(arguments, name); });
  return status ? *status : dscope::report(name, status.error());
}
