#include "driver/command_line/usage.h"

#include <unistd.h>

#include "catalog/option_values.h"
#include "driver/command_line/letters.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr size_t line_width = 100;

// Joins the words with blanks into lines of at most line_width characters.
std::string wrap(const std::vector<std::string>& words, std::string_view indent) {
  std::string text, line{indent};
  for (const std::string& word : words) {
    bool is_first = line.size() == indent.size();
    if (!is_first && line.size() + 1 + word.size() > line_width) {
      text += line + "\n";
      line = indent;
      is_first = true;
    }
    line += (is_first ? "" : " ") + word;
  }
  return text + line + "\n";
}

std::string help_line(std::string_view option, std::string_view help) {
  return fmt::format("  {:<17} {}\n", option, help);
}

std::string letters_text(LetterGroup group) {
  std::string text;
  for (const LetterRow& row : letter_rows) {
    if (row.group != group) continue;
    std::string option = fmt::format("-{}{}{}", row.letter, row.argument.empty() ? "" : " ", row.argument);
    text += help_line(option, row.help);
  }
  return text;
}

std::string group_text(std::string_view title, LetterGroup group) {
  return fmt::format("\n{}\n{}", title, letters_text(group));
}

bool has_letter(std::string_view option) {
  for (const LetterRow& row : letter_rows)
    if (row.option == option) return true;
  return false;
}

// Lists the options that have an effect and no letter.
std::string settings_text() {
  std::vector<std::string> words;
  for (std::string_view name : all_option_names()) {
    const OptionRow& option = *find_option(name);
    bool is_idle =
        option.release != Release::Now || option.help.starts_with("accepted") || option.help.starts_with("for -G");
    if (!is_idle && !has_letter(option.name)) words.push_back(std::string(name));
  }
  return wrap(words, "  ");
}

}  // namespace

std::string usage_text(std::string_view program_name) {
  return fmt::format(
      "Usage: {0} [OPTIONS] -n 'PROBE /PREDICATE/ {{ ACTIONS }}' ... [ARGUMENTS] [-- COMMAND ...]\n"
      "       {0} [OPTIONS] -s SCRIPT.d [ARGUMENTS] [-- COMMAND ...]\n"
      "       {0} -l [-v] [-n PROBE]\n"
      "Try '{0} --help' for examples and all options.\n",
      program_name);
}

std::string program_hint(const CommandLine& command_line) {
  std::string_view name = command_line.program_name;
  if (command_line.operands.empty())
    return fmt::format("pass a program with -n or a script file with -s: {} -s script.d", name);
  const std::string& operand = command_line.operands.front();
  bool is_file = access(operand.c_str(), F_OK) == 0 || operand.ends_with(".d");
  if (is_file) return fmt::format("pass a script file with -s: {} -s {}", name, operand);
  return fmt::format("pass a program with -n: {} -n '{}'", name, operand);
}

std::string help_text(const CommandLine& command_line) {
  const ScriptArguments& script = command_line.script;
  return script.is_empty() ? help_text(command_line.program_name)
                           : script_help_text(script.description(), script.command());
}

std::string help_text(std::string_view program_name) {
  std::string text = fmt::format(
      "{0} - traces a running Linux system with DTrace's D language. Run as root:\n\n"
      "  {0} -n 'syscall:::entry {{ @[execname] = count(); }}'   # who makes system calls? Ctrl-C prints\n"
      "  {0} -qn 'syscall::openat:entry {{ printf(\"%s %s\\n\", execname, copyinstr(arg1)); }}'\n"
      "  {0} -n 'profile-997 {{ @[stack()] = count(); }} tick-10s {{ trunc(@, 5); exit(0); }}'\n",
      program_name);
  text += group_text("What to trace (programs and targets may be repeated)", LetterGroup::Tracing);
  text += group_text("Output", LetterGroup::Output);
  text += help_line("--format=FORMAT", "output format: text, json, csv, folded, svg, pprof, speedscope");
  text += help_line("--live", "view on the terminal, =http: in a browser; --report=FILE, --timeline=FILE: files");
  text +=
      help_line("--serve=ADDRESS", "serve metrics for Prometheus at [HOST]:PORT or unix:PATH; --otlp=URL pushes them");
  text +=
      help_line("--record=FILE", "record clauses without actions; --replay=FILE runs D over it, --redact copies it");
  text += group_text("Without tracing", LetterGroup::Inspect);
  text += help_line("--dry-run", "compile only: print a summary, the plan and the code; needs no root");
  text +=
      help_line("--dump=STAGE,...", "print stages: summary tokens ast source types probes plan ir ir-opt asm object");
  text += help_line("--facts=FILE", "use the machine of FILE with --dry-run, -l or -e; --save-facts=FILE writes one");
  text += help_line("--build=FILE", "write a bundle for dscope-run; --bind=BTF adds a kernel, --info=FILE shows it");
  text += help_line("--merge FILE ...", "add up results of --format=json from several machines; -: standard input");
  text += help_line("--fmt, --lsp", "format D programs (--fmt=write FILE changes it); language server for editors");
  text += group_text("Limits and settings, C preprocessor", LetterGroup::Limits);
  text += letters_text(LetterGroup::Preprocessor);
  text += fmt::format("Names for -x and for `#pragma D option NAME[=VALUE]` (see man {})\n", "dscope");
  text += settings_text();
  return text;
}

}  // namespace dscope
