#include "frontend/check/declarations/provider_definitions.h"

#include <algorithm>

#include "frontend/check/declarations/translators.h"
#include "frontend/check/declarations/type_builder.h"
#include "support/text/probe_text.h"

namespace dscope {

namespace {

constexpr size_t longest_probe_field = 63;
constexpr size_t max_arguments = 255;

bool is_good_probe_field(std::string_view name) {
  return !name.empty() && name.size() <= longest_probe_field && name.find('`') == std::string_view::npos;
}

}  // namespace

void ProviderDefinitions::define(const External& external, const ProviderDefinition& provider) {
  bool ends_in_digit = !provider.name.empty() && provider.name.back() >= '0' && provider.name.back() <= '9';
  if (!is_good_probe_field(provider.name) || ends_in_digit) {
    fail(Tag::D_PROV_BADNAME, external.at,
         "provider name may not be longer than {} characters, contain scoping operators or end in a digit: {}",
         longest_probe_field, provider.name);
    return;
  }
  std::vector<ProbeInterface> probes;
  type_builder_.accept_unknown_types(provider.accepts_unknown_types);
  for (const ProviderProbe& probe : provider.probes) {
    auto defined = define_probe(probe);
    if (!defined) return;
    bool is_known = std::any_of(probes.begin(), probes.end(),
                                [&](const ProbeInterface& other) { return other.name == defined->name; });
    if (is_known) {
      fail(Tag::D_PROV_PRDUP, probe.at, "probe redeclared: {}:::{}", provider.name, defined->name);
      return;
    }
    probes.push_back(std::move(*defined));
  }
  type_builder_.accept_unknown_types(false);
  auto [known, is_new] = interfaces_.try_emplace(provider.name, probes);
  bool is_of_machine = is_new && !host_.match({.provider = provider.name}).empty();
  if (is_of_machine || !is_same_interface(known->second, probes))
    fail(Tag::D_PROV_INCOMPAT, external.at, "provider interface mismatch: {} already exists with other probes",
         provider.name);
  if (!is_new) return;
  // Same stability as other USDT providers, whose names end in a pid.
  DefinedProvider plain{
      .name = provider.name, .attributes = host_.provider_attributes(provider.name + "1"), .probes = {}};
  for (const ProbeInterface& probe : probes) plain.probes.push_back(plain_probe(probe));
  semantics_.providers.push_back(std::move(plain));
}

DefinedProbe ProviderDefinitions::plain_probe(const ProbeInterface& probe) const {
  DefinedProbe plain{.name = probe.name, .input = {}, .view = {}};
  for (TypeId type : probe.input) plain.input.push_back(plain_argument(type));
  for (size_t i = 0; i < probe.output.size(); ++i)
    plain.view.push_back({.input = probe.sources[i], .type_text = types_.spell(probe.output[i])});
  return plain;
}

DefinedArgument ProviderDefinitions::plain_argument(TypeId type) const {
  const Type& resolved = types_.resolved(type);
  ArgumentForm form = ArgumentForm::Other;
  if (types_.is_integer(type)) form = resolved.is_signed ? ArgumentForm::Signed : ArgumentForm::Unsigned;
  else if (types_.is_string(type)) form = ArgumentForm::String;
  else if (resolved.kind == TypeKind::Float) form = ArgumentForm::Float;
  else if (resolved.kind == TypeKind::Pointer || resolved.kind == TypeKind::Array) form = ArgumentForm::Pointer;
  bool is_address = form == ArgumentForm::String || form == ArgumentForm::Pointer;
  // An enumeration that only the traced program defines.
  if (resolved.kind == TypeKind::Forward && resolved.name.starts_with("enum "))
    return {.type_text = types_.spell(type), .base_text = "int", .form = ArgumentForm::Signed, .size = 4};
  return {.type_text = types_.spell(type),
          .base_text = types_.spell(types_.resolve(type)),
          .form = form,
          .size = is_address ? 8 : static_cast<uint32_t>(types_.size_of(type))};
}

std::optional<ProbeInterface> ProviderDefinitions::define_probe(const ProviderProbe& probe) {
  std::string name = with_dashes(probe.name);
  if (!is_good_probe_field(name)) {
    fail(Tag::D_PROV_BADNAME, probe.at,
         "probe name may not be longer than {} characters or contain scoping operators: {}", longest_probe_field,
         probe.name);
    return std::nullopt;
  }
  auto list = [&](const FunctionPart& part, ParameterRules rules) -> std::optional<std::vector<TypeId>> {
    if (part.parameters.size() <= max_arguments)
      return type_builder_.parameter_types(part.parameters, part.has_varargs, probe.at, rules);
    fail(Tag::D_PROV_PRARGLEN, probe.at, "probe {} has more than {} arguments", probe.name, max_arguments);
    return std::nullopt;
  };
  auto input = list(probe.arguments, ParameterRules::ProbeInput);
  if (!input) return std::nullopt;
  ProbeInterface defined{.name = std::move(name), .input = std::move(*input), .output = {}, .sources = {}};
  if (!probe.translated) {
    defined.output = defined.input;
    for (uint32_t i = 0; i < defined.input.size(); ++i) defined.sources.push_back(i);
    return defined;
  }
  auto output = list(*probe.translated, ParameterRules::ProbeOutput);
  if (!output) return std::nullopt;
  defined.output = std::move(*output);
  if (!check_translated_view(probe, defined)) return std::nullopt;
  return defined;
}

// Each argument of the translated view is translated from the input argument of the same name.
bool ProviderDefinitions::check_translated_view(const ProviderProbe& probe, ProbeInterface& defined) {
  const std::vector<Parameter>& inputs = probe.arguments.parameters;
  for (size_t i = 0; i < defined.output.size(); ++i) {
    const Parameter& parameter = probe.translated->parameters[i];
    const std::string& name = parameter.declarator->name;
    auto input = std::find_if(inputs.begin(), inputs.end(),
                              [&](const Parameter& each) { return each.declarator->name == name; });
    if (input == inputs.end()) {
      fail(Tag::D_DECL_PROTO_FORM, parameter.at, "translated argument {} of probe {} is not one of its arguments", name,
           probe.name);
      return false;
    }
    defined.sources.push_back(static_cast<uint32_t>(input - inputs.begin()));
    TypeId from = defined.input[defined.sources.back()], to = defined.output[i];
    if (is_compatible(types_, to, from, false)) continue;
    TypeId object = types_.is_pointer(to) ? target_of(types_, to) : to;
    if (translators_.find(from, false, object)) continue;
    fail(Tag::D_PROV_PRXLATOR, parameter.at, "argument {} of probe {} needs a translator from {} to {}", name,
         probe.name, types_.spell(from), types_.spell(to));
    return false;
  }
  return true;
}

// ---------------------------------------------------------------- args[] of probes that the program defines

// The program's definition of a static probe of one process (my123:::go) or of all (my*:::go); null if it has none.
const ProbeInterface* ProviderDefinitions::find_interface(const Probe& probe) const {
  std::string_view provider = probe.provider;
  provider = provider.substr(0, provider.find_last_not_of("0123456789*") + 1);
  auto known = provider.size() < probe.provider.size() ? interfaces_.find(std::string{provider}) : interfaces_.end();
  if (known == interfaces_.end()) return nullptr;
  auto found = std::ranges::find(known->second, probe.name, &ProbeInterface::name);
  return found == known->second.end() ? nullptr : &*found;
}

std::vector<ProbeArg> ProviderDefinitions::arguments_of(const ProbeInterface& defined) {
  std::vector<ProbeArg> arguments;
  for (size_t i = 0; i < defined.output.size(); ++i) {
    TypeId input = defined.input[defined.sources[i]], output = defined.output[i];
    bool is_other = types_.is_string(input) || !is_same_type(types_, input, output);
    arguments.push_back({.type_text = types_.spell(input),
                         .type = in_user_memory(input),
                         .name = {},
                         .source = {},
                         .translated_text = is_other ? types_.spell(output) : std::string{}});
  }
  return arguments;
}

// Returns the type as a process passes it: pointers point into the memory of the process.
TypeId ProviderDefinitions::in_user_memory(TypeId type) {
  if (types_.is_string(type)) return types_.pointer_to(*types_.find("char"), true);
  if (!types_.is_pointer(type)) return type;
  return types_.pointer_to(in_user_memory(target_of(types_, type)), true);
}

bool ProviderDefinitions::is_same_interface(const std::vector<ProbeInterface>& known,
                                            const std::vector<ProbeInterface>& probes) const {
  auto same_types = [&](const std::vector<TypeId>& a, const std::vector<TypeId>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](TypeId left, TypeId right) { return is_same_type(types_, left, right); });
  };
  auto same_probe = [&](const ProbeInterface& a, const ProbeInterface& b) {
    return a.name == b.name && same_types(a.input, b.input) && same_types(a.output, b.output) && a.sources == b.sources;
  };
  return std::is_permutation(known.begin(), known.end(), probes.begin(), probes.end(), same_probe);
}

}  // namespace dscope
