#include "driver/merge/merge_run.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "driver/merge/print_results.h"
#include "driver/run/messages.h"
#include "driver/run/output.h"
#include "driver/run/terminal.h"
#include "support/print_message.h"

namespace dscope {

namespace {

void read_operand(MergedResults& results, const std::string& operand) {
  if (operand == "-") return results.read(std::cin, "stdin");
  std::ifstream file(operand);
  if (!file) return results.add_problem(fmt::format("cannot open {}: {}", operand, std::strerror(errno)));
  results.read(file, operand);
}

PrintSettings print_settings(const CommandLine& command_line, const OptionValues& options) {
  bool is_for_people = !command_line.is_dtrace() && !is_testing() && options.text(OptionId::Diagnostics) != "classic";
  bool is_on_terminal = is_for_people && !command_line.output_file && ::isatty(STDOUT_FILENO) == 1;
  return {.program_name = command_line.program_name,
          .prints_as_dtrace = command_line.is_dtrace() || is_testing(),
          .line_width = is_on_terminal ? std::optional(describe_terminal(STDOUT_FILENO).width) : std::nullopt};
}

}  // namespace

Result<int> run_merge(const CommandLine& command_line, const OptionValues& options) {
  DS_TRY_VOID(check_merge_format(options));
  MergedResults results;
  for (const std::string& operand : command_line.operands) read_operand(results, operand);
  Result<> finished = results.finish();
  for (const std::string& message : results.messages()) print_message("{}: {}\n", command_line.program_name, message);
  DS_TRY_VOID(std::move(finished));
  if (!results.has_results()) return 1;
  DS_TRY(std::unique_ptr<FdStream> out, open_output(command_line));
  FdStream messages(STDERR_FILENO);
  print_results(results, options, print_settings(command_line, options), *out, messages);
  DS_TRY(int written, finish_output(*out));
  return std::max(written, results.exit_status());
}

}  // namespace dscope
