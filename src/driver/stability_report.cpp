// See stability_report.h.
#include "driver/stability_report.h"

#include "support/format.h"

namespace dscope {

namespace {

std::string attributes_block(std::string_view title, const Attributes& attributes) {
  return fmt::format("\n\t{}\n\t\tIdentifier Names: {}\n\t\tData Semantics:   {}\n\t\tDependency Class: {}\n", title,
                     to_string(attributes.name), to_string(attributes.data), to_string(attributes.dependency));
}

}  // namespace

std::string probe_report(Host& host, TypeTable& types, const Probe& probe) {
  host.load_args(probe, types);
  ProviderAttributes provider = host.provider_attributes(probe.provider);
  Attributes least = provider.provider;
  if (!probe.module.empty()) least = minimum(least, provider.module);
  if (!probe.function.empty()) least = minimum(least, provider.function);
  if (!probe.name.empty()) least = minimum(least, provider.name);
  std::string text = attributes_block("Probe Description Attributes", least);
  text += attributes_block("Argument Attributes", provider.args);
  text += "\n\tArgument Types\n";
  if (probe.args.empty()) text += "\t\tNone\n";
  for (size_t i = 0; i < probe.args.size(); ++i) {
    const ProbeArg& argument = probe.args[i];
    const std::string& type = argument.translated_text.empty() ? argument.type_text : argument.translated_text;
    text += fmt::format("\t\targs[{}]: {}\n", i, type.empty() ? "(unknown)" : type);
  }
  return text + "\n";
}

std::string description_report(Host& host, TypeTable& types, const ProbeDescription& description) {
  std::vector<const Probe*> probes = host.match(description);
  if (probes.empty()) return {};
  return fmt::format("\n{}\n", to_string(description)) + probe_report(host, types, *probes.front());
}

std::string program_report(const ProgramStability& program) {
  return fmt::format("\nStability attributes for {} {}:\n", program.is_script ? "script" : "description",
                     program.name) +
         attributes_block("Minimum Probe Description Attributes", program.probes) +
         attributes_block("Minimum Statement Attributes", program.statements);
}

}  // namespace dscope
