#include "runtime/providers/function_arguments.h"

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/providers/argument_passing.h"

namespace dscope {
namespace {

std::vector<ProbeArg> entry_arguments(TypeTable& types, const ProcessTypes::Function& function,
                                      ProcessTypes& process_types) {
  std::vector<ProbeArg> args;
  ArgumentPlaces places(types, process_types);
  if (function.result) places.take_result(*function.result);
  for (const ProcessTypes::Parameter& parameter : function.parameters) {
    std::optional<ArgSource> source = places.next(parameter);
    if (!source) break;
    args.push_back(
        {.type_text = types.spell(parameter.type), .type = parameter.type, .name = parameter.name, .source = *source});
  }
  return args;
}

std::vector<ProbeArg> return_arguments(TypeTable& types, const ProcessTypes::Function& function, const Probe& probe,
                                       ProcessTypes& process_types) {
  const std::vector<ArgSource>& raw_args = probe.sites.empty() ? probe.raw_args : probe.sites.front().raw_args;
  if (raw_args.size() < 2) return {};
  std::vector<ProbeArg> args{{.type_text = "int", .type = types.int_type(), .name = {}, .source = raw_args[0]}};
  args[0].source.size = 4;
  if (!function.result || types.size_of(function.result->type) == 0) return args;
  TypeId type = function.result->type;
  ArgSource source = ArgumentPlaces(types, process_types).result(*function.result);
  args.push_back({.type_text = types.spell(type), .type = type, .name = {}, .source = source});
  return args;
}

// Under the name of its symbol or, as functions of one file of C++ have it, under the one in the source.
std::optional<ProcessTypes::Function> find_described(const Probe& probe, uint64_t address, const ProcessScope& scope,
                                                     ProcessTypes& process_types, TypeTable& types) {
  auto found = process_types.find_function(types, scope, probe.function, address);
  if (found || probe.readable_function.empty()) return found;
  std::string_view name = probe.readable_function;
  name = name.substr(0, name.find('<'));
  if (size_t colon = name.rfind(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
  return process_types.find_function(types, scope, name, address);
}

}  // namespace

void load_function_arguments(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope,
                             ProcessTypes& process_types, TypeTable& types) {
  bool is_entry = probe.name == "entry";
  // What a compiler made of a function for some of its callers takes other arguments than are written.
  bool is_changed = probe.function.find('.') != std::string::npos;
  // What probes of instructions are passed is not known.
  if (symbols.is_32bit() || is_changed || (!is_entry && probe.name != "return")) return;
  auto address = symbols.find_only(probe.function);
  auto function = address ? find_described(probe, *address, scope, process_types, types) : std::nullopt;
  if (!function) return;
  probe.args = is_entry ? entry_arguments(types, *function, process_types)
                        : return_arguments(types, *function, probe, process_types);
}

}  // namespace dscope
