#include "driver/inspect/stability_report.h"

#include <algorithm>

#include "contract/cheap_return.h"
#include "support/format.h"
#include "support/text/format_join.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

std::string attributes_block(std::string_view title, const Attributes& attributes) {
  return fmt::format("\n\t{}\n\t\tIdentifier Names: {}\n\t\tData Semantics:   {}\n\t\tDependency Class: {}\n", title,
                     to_string(attributes.name), to_string(attributes.data), to_string(attributes.dependency));
}

// Returns the program's definition of my123:::go if it has as many arguments as the probe. Ignores a definition that
// maps arguments, because the mapping is unknown here.
const DefinedProbe* definition_of(const Probe& probe, std::span<const DefinedProvider> defined) {
  std::string_view name = probe.provider;
  name = name.substr(0, name.find_last_not_of("0123456789*") + 1);
  auto provider = std::ranges::find(defined, name, &DefinedProvider::name);
  if (provider == defined.end() || name.size() == probe.provider.size()) return nullptr;
  auto found = std::ranges::find(provider->probes, probe.name, &DefinedProbe::name);
  if (found == provider->probes.end() || found->view.size() != probe.args.size()) return nullptr;
  for (uint32_t i = 0; i < found->view.size(); ++i)
    if (found->view[i].input != i || found->view[i].type_text != found->input[i].type_text) return nullptr;
  return &*found;
}

// The type of args[`index`] as scripts see it.
std::string argument_type(const Probe& probe, const DefinedProbe* definition, size_t index) {
  const ProbeArg& argument = probe.args[index];
  const std::string& own = argument.translated_text.empty() ? argument.type_text : argument.translated_text;
  const std::string& type = definition != nullptr ? definition->view[index].type_text : own;
  return type.empty() ? "(unknown)" : type;
}

// Declares `name` as C does: "char *filename", "char comm[16]", "int (*call)(void)".
std::string declaration(const std::string& type, std::string_view name) {
  if (name.empty()) return type;
  size_t inner = type.find("(*");
  size_t end = inner != std::string::npos ? inner + 2 : std::min(type.find('['), type.size());
  std::string head = type.substr(0, end);
  if (inner == std::string::npos) head.resize(head.find_last_not_of(' ') + 1);
  return fmt::format("{}{}{}{}", head, head.ends_with('*') ? "" : " ", name, type.substr(end));
}

// A line for each variable of the program that can be read at the probe. Empty for probes with arguments, which are
// those of a function, and for probes of the kernel.
std::string variable_lines(Host& host, TypeTable& types, const Probe& probe, std::string_view indent) {
  if (!probe.args.empty()) return {};
  host.load_variables(probe, types);
  std::string text;
  for (const TracedVariable& variable : probe.variables) {
    if (!variable.is_readable() || variable.is_global) continue;
    auto places = static_cast<size_t>(std::ranges::count_if(variable.places, &VariablePlace::is_readable));
    std::string some = places < variable.places.size()
                           ? fmt::format(" (at {} of {} places)", places, variable.places.size())
                           : std::string{};
    std::string declared = declaration(variable.type_text, "$" + variable.name);
    text += fmt::format("{}{}{}\n", indent, visible_line(declared), some);
  }
  return text;
}

}  // namespace

std::string signature_report(Host& host, TypeTable& types, const Probe& probe,
                             std::span<const DefinedProvider> defined) {
  host.load_args(probe, types);
  const DefinedProbe* definition = definition_of(probe, defined);
  std::vector<std::string> arguments;
  for (size_t i = 0; i < probe.args.size(); ++i) {
    std::string_view name = definition == nullptr ? std::string_view{probe.args[i].name} : "";
    arguments.push_back(declaration(argument_type(probe, definition, i), name));
  }
  std::string signature = fmt::format("{}:{}:{}:{} ({})", probe.provider, probe.module == "vmlinux" ? "" : probe.module,
                                      probe.function, probe.name, fmt::join(arguments, ", "));
  return visible_line(signature) + '\n' + variable_lines(host, types, probe, "\t");
}

std::string probe_report(Host& host, TypeTable& types, const Probe& probe, std::span<const DefinedProvider> defined) {
  host.load_args(probe, types);
  ProviderAttributes provider = host.provider_attributes(probe.provider);
  Attributes lowest = provider.provider;
  if (!probe.module.empty()) lowest = minimum(lowest, provider.module);
  if (!probe.function.empty()) lowest = minimum(lowest, provider.function);
  if (!probe.name.empty()) lowest = minimum(lowest, provider.name);
  std::string text = attributes_block("Probe Description Attributes", lowest);
  text += attributes_block("Argument Attributes", provider.args);
  text += "\n\tArgument Types\n";
  if (probe.args.empty()) text += "\t\tNone\n";
  const DefinedProbe* definition = definition_of(probe, defined);
  for (size_t i = 0; i < probe.args.size(); ++i)
    text += fmt::format("\t\targs[{}]: {}\n", i, visible_line(argument_type(probe, definition, i)));
  std::string variables = variable_lines(host, types, probe, "\t\t");
  if (!variables.empty()) text += "\n\tVariables\n" + variables;
  return text + "\n";
}

// The instructions of functions of processes.
std::string sites_report(const Probe& probe) {
  const auto* first = probe.sites.empty() ? nullptr : std::get_if<HookUprobe>(&probe.sites.front().hook);
  if (first == nullptr) return {};
  std::string text;
  bool has_choice = cheap_return(probe) != nullptr;
  if (has_choice) text += "\t\ta uretprobe, unless clauses read arg0, registers or stacks; otherwise\n";
  size_t count = probe.sites.size() - (has_choice ? 1 : 0);
  text += fmt::format("\t\tuprobe{} on {} instruction{}\n", count == 1 ? "" : "s", count, count == 1 ? "" : "s");
  return text;
}

std::string origin_report(const Probe& probe) {
  if (probe.derivations.empty() && probe.sites.empty()) return {};
  std::string text = "\tHooks\n" + sites_report(probe);
  std::vector<std::string_view> origins;
  for (const Derivation& each : probe.derivations) {
    // Only the description, without predicate and statements.
    std::string_view origin = std::string_view{each.clause}.substr(0, each.clause.find(' '));
    if (std::ranges::find(origins, origin) != origins.end()) continue;
    origins.push_back(origin);
    text += fmt::format("\t\t{}\n", visible_line(origin));
  }
  return text + "\n";
}

std::string description_report(Host& host, TypeTable& types, const ProbeDescription& description,
                               std::span<const DefinedProvider> defined) {
  std::vector<const Probe*> probes = host.match(description);
  if (probes.empty()) return {};
  return fmt::format("\n{}\n", visible_line(to_string(description))) +
         probe_report(host, types, *probes.front(), defined);
}

std::string program_report(const ProgramStability& program) {
  return fmt::format("\nStability attributes for {} {}:\n", program.is_script ? "script" : "description",
                     program.name) +
         attributes_block("Minimum Probe Description Attributes", program.probes) +
         attributes_block("Minimum Statement Attributes", program.statements);
}

}  // namespace dscope
