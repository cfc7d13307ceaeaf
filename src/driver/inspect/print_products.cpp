#include "driver/inspect/print_products.h"

#include <unistd.h>

#include "driver/compile/code_generation.h"
#include "driver/inspect/code_listing.h"
#include "driver/inspect/dump.h"
#include "driver/inspect/listing.h"
#include "driver/inspect/run_summary.h"
#include "driver/run/messages.h"
#include "driver/run/output.h"
#include "driver/run/terminal.h"
#include "support/print_message.h"

namespace dscope {

namespace {

std::vector<ProbeDescription> descriptions_to_list(const ProgramUnit& unit, Dialect dialect) {
  std::vector<ProbeDescription> descriptions;
  for (const External& external : unit.externals) {
    const auto* clause = std::get_if<Clause>(&external.form);
    if (clause == nullptr) continue;
    for (const ProbeSpecifier& probe : clause->probes)
      descriptions.push_back({.id = probe.id,
                              .provider = probe.provider,
                              .module = probe.module,
                              .function = probe.function,
                              .name = probe.name,
                              .dialect = dialect,
                              .is_for_listing = true});
  }
  return descriptions;
}

}  // namespace

Result<int> list_probes(const CommandLine& command_line, const OptionValues& options, const Compilation& compilation,
                        Host& host, FdStream& out) {
  TypeTable types;
  using Detail = ListingForm::Detail;
  bool has_reports = command_line.is_dtrace() || command_line.is_very_verbose || is_testing();
  Detail verbose_detail = has_reports ? Detail::Reports : Detail::Signatures;
  bool is_for_programs = command_line.is_dtrace() || is_testing() || options.text(OptionId::Diagnostics) == "classic";
  bool fits_columns = !is_for_programs && !command_line.output_file && ::isatty(STDOUT_FILENO) == 1;
  Listing listing(host, types, command_line.program_name,
                  {.detail = command_line.is_verbose ? verbose_detail : Detail::Names,
                   .has_hints = message_style(command_line.program_name, options) != MessageStyle::Classic,
                   .fits_columns = fits_columns,
                   .lists_unavailable = command_line.is_dtrace() || is_testing(),
                   .dialect = options.dialect(),
                   .shows_hooks = options.is_on(OptionId::Debug),
                   .defined = compilation.meaning.providers});
  if (command_line.programs.empty()) listing.add_all();
  for (const ProgramUnit& unit : compilation.program.units)
    if (compilation.sources.unit(unit.source).kind != UnitKind::Library)
      listing.add_program(descriptions_to_list(unit, options.dialect()));
  listing.finish();
  out.write(listing.text());
  Result<int> status = finish_output(out);
  print_text(visible_text(listing.messages()));
  return status;
}

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
