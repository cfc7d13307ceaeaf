// The text of --help, and the usage lines after an error in the command line. Made from the rows of letters.def and
// options.def.
#pragma once

#include <string>
#include <string_view>

#include "driver/command_line/command_line.h"

namespace dscope {

inline constexpr std::string_view long_options[] = {"--help",          "--version",
                                                    "--dry-run",       "--dump",
                                                    "--facts",         "--save-facts",
                                                    "--format",        "--build",
                                                    "--bind",          "--info",
                                                    "--record",        "--redact",
                                                    "--replay",        "--live",
                                                    "--report",        "--timeline",
                                                    "--serve",         "--serve-token-file",
                                                    "--serve-cert",    "--serve-key",
                                                    "--serve-anyone",  "--merge",
                                                    "--otlp",          "--otlp-format",
                                                    "--otlp-interval", "--otlp-header-file",
                                                    "--fmt",           "--lsp"};

// Three working one-liners, then the options grouped by intent; at most 60 lines.
std::string help_text(std::string_view program_name);
// --help: of the script that declares options, if there is one.
std::string help_text(const CommandLine& command_line);
// The synopsis and a pointer to --help.
std::string usage_text(std::string_view program_name);
// The hint for a command line without a program: the letter that is missing before its first operand.
std::string program_hint(const CommandLine& command_line);

}  // namespace dscope
