// The program that users start. It links no compiler: it runs code from the cache, or executes the compiler, which
// is the same program with LLVM.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "driver/cache/cached_run.h"
#include "driver/command_line/command_line.h"
#include "driver/command_line/usage.h"
#include "driver/compile/library_files.h"
#include "driver/merge/merge_run.h"
#include "driver/run/live_environment.h"
#include "driver/run/messages.h"
#include "driver/run/standard_streams.h"
#include "driver/start/viewers.h"
#include "support/catch_exceptions.h"
#include "support/print_message.h"
#include "support/spawn_signals.h"

namespace dscope {

namespace {

int print(const std::string& text) {
  bool is_written = std::fputs(text.c_str(), stdout) >= 0;
  return std::fflush(stdout) == 0 && is_written ? 0 : 1;
}

int merge(const CommandLine& command_line, const OptionValues& options) {
  Result<int> status = catch_exceptions([&] { return run_merge(command_line, options); });
  return status ? *status : report(command_line.program_name, status.error());
}

std::optional<int> run_without_compiler(char** argv, size_t argc, const std::string& compiler) {
  // The compiler repeats this and reports mistakes.
  auto command_line = parse_command_line({const_cast<const char* const*>(argv), argc});
  if (!command_line) return std::nullopt;
  apply_live_environment(*command_line);
  if (needs_viewer(*command_line) && !command_line->programs.empty()) return start_viewer(*command_line, argv);
  if (!command_line->replay_file.empty()) return start_replay(*command_line, argv);
  if (command_line->mode == RunMode::Help) return print(help_text(*command_line));
  if (command_line->mode == RunMode::Version)
    return print(version_text(command_line->program_name, command_line->is_verbose));
  auto options = make_options(*command_line, [](const std::string& name) { return std::getenv(name.c_str()); });
  if (!options) return std::nullopt;
  if (command_line->mode == RunMode::Merge) return merge(*command_line, *options);
  return run_from_cache(*command_line, *options, compiler);
}

bool is_language_command(std::string_view word) {
  return word == "--lsp" || word == "--complete" || word == "--fmt" || word.starts_with("--fmt=");
}

int start_language_program(char** argv) {
  std::string program = find_program(DSCOPE_LANGUAGE_IN_BUILD, DSCOPE_LANGUAGE_FROM_BIN);
  ::execv(program.c_str(), argv);
  return report(
      program_invocation_short_name,
      Error::from_errno(errno, "cannot start `dscope-language`").hint("this installation has no support for editors"));
}

int start(int argc, char** argv) {
  open_missing_streams();
  if (argc > 1 && is_language_command(argv[1])) return start_language_program(argv);
  std::string compiler = find_program(DSCOPE_COMPILER_IN_BUILD, DSCOPE_COMPILER_FROM_BIN);
  for (int ignored : ignored_signals) ::signal(ignored, SIG_IGN);
  auto status = run_without_compiler(argv, static_cast<size_t>(argc), compiler);
  if (status) return *status;
  ::execv(compiler.c_str(), argv);
  Error error = Error::from_errno(errno, "cannot start the compiler `{}`", compiler);
  if (compiler.empty()) error = Error("the compiler is not installed");
  return report(program_invocation_short_name,
                std::move(error).hint("it is the file libexec/dscope/dscope below the prefix of the installation"));
}

}  // namespace

}  // namespace dscope

int main(int argc, char** argv) { return dscope::start(argc, argv); }
