#include "driver/inspect/list_probes.h"

#include <unistd.h>

#include <variant>
#include <vector>

#include "driver/inspect/listing.h"
#include "driver/run/messages.h"
#include "driver/run/output.h"
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

}  // namespace dscope
