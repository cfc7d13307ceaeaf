#include "driver/inspect/print_products.h"

#include <unistd.h>

#include "driver/compile/code_generation.h"
#include "driver/inspect/code_listing.h"
#include "driver/inspect/dump.h"
#include "driver/inspect/run_summary.h"
#include "driver/run/messages.h"
#include "driver/run/output.h"
#include "driver/run/terminal.h"
#include "support/print_message.h"

namespace dscope {

Result<int> print_dumps(const CommandLine& command_line, const OptionValues& options, const Compilation& compilation,
                        Host& host, FdStream& out) {
  Terminal terminal = command_line.output_file ? Terminal{} : describe_terminal(STDOUT_FILENO);
  CodeDetail detail = command_line.is_verbose ? CodeDetail::Full : CodeDetail::Folded;
  bool is_json = options.text(OptionId::Format) == "json";
  for (DumpStage stage : command_line.dumps) {
    if (command_line.dumps.size() > 1 && !is_json) out.write(fmt::format("--- {}\n", to_string(stage)));
    if (stage != DumpStage::Summary) {
      DS_TRY(std::string text, dump(stage, compilation, detail));
      out.write(terminal.has_colors && stage != DumpStage::Object ? colored_dump(text) : text);
      continue;
    }
    DS_TRY(GeneratedCode code, Compiler().generate(compilation, CodeForm::Fast));
    DS_TRY(RunSummary summary, summarize(compilation, code, host.facts()));
    if (is_json) {
      out.write(summary_json(summary));
      break;
    }
    std::string text = summary_text(summary, terminal.width);
    out.write(terminal.has_colors ? colored_summary(text) : text);
  }
  return finish_output(out);
}

Result<> print_code(const OptionValues& options, const Compilation& compilation, Progress& progress) {
  if (!options.is_on(OptionId::Verbose)) return {};
  progress.show("generating code");
  auto code = Compiler().generate(compilation, CodeForm::Fast);
  progress.clear();
  if (!code) return fail(std::move(code.error()));
  DS_TRY(std::string listing, code_listing(code->plan, code->object));
  print_text(listing);
  return {};
}

Result<int> print_reports(const std::vector<std::string>& reports, FdStream& out) {
  for (const std::string& text : reports) out.write(text);
  return finish_output(out);
}

}  // namespace dscope
