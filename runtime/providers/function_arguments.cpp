#include "runtime/providers/function_arguments.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace dscope {
namespace {

// Of struct pt_regs.
constexpr std::array<int64_t, 6> argument_registers = {112, 104, 96, 88, 72, 64};  // di si dx cx r8 r9
constexpr size_t most_in_vector_registers = 8;
constexpr int64_t word = 8;

// Where the next argument of each kind is.
struct Places {
  size_t registers = 0, vector_registers = 0, words = 0;

  ArgSource next(uint32_t size, bool is_signed) {
    ArgSource source{.kind = ArgSourceKind::Register, .size = size, .is_signed = is_signed};
    if (registers < argument_registers.size()) {
      source.offset = argument_registers[registers++];
      return source;
    }
    source.kind = ArgSourceKind::StackWord;
    source.offset = word * static_cast<int64_t>(1 + words++);  // behind the return address
    return source;
  }
  void skip_float() {
    if (vector_registers < most_in_vector_registers) ++vector_registers;
    else ++words;
  }
};

bool is_scalar(const TypeTable& types, TypeId type) {
  return types.is_pointer(type) || (types.is_integer(type) && types.size_of(type) <= static_cast<uint64_t>(word));
}

bool is_float(const TypeTable& types, TypeId type) { return types.resolved(type).kind == TypeKind::Float; }

uint32_t register_size(const TypeTable& types, TypeId type) {
  return types.is_pointer(type) ? static_cast<uint32_t>(word) : static_cast<uint32_t>(types.size_of(type));
}

std::vector<ProbeArg> entry_arguments(const TypeTable& types, const ProcessTypes::Function& function) {
  std::vector<ProbeArg> args;
  Places places;
  for (const ProcessTypes::Parameter& parameter : function.parameters) {
    ArgSource source;
    if (is_scalar(types, parameter.type))
      source = places.next(register_size(types, parameter.type), types.is_signed_integer(parameter.type));
    else if (is_float(types, parameter.type)) places.skip_float();
    else break;
    args.push_back(
        {.type_text = types.spell(parameter.type), .type = parameter.type, .name = parameter.name, .source = source});
  }
  return args;
}

std::vector<ProbeArg> return_arguments(const TypeTable& types, const ProcessTypes::Function& function,
                                       const Probe& probe) {
  const std::vector<ArgSource>& raw_args = probe.sites.empty() ? probe.raw_args : probe.sites.front().raw_args;
  if (raw_args.size() < 2) return {};
  std::vector<ProbeArg> args{{.type_text = "int", .type = types.int_type(), .name = {}, .source = raw_args[0]}};
  args[0].source.size = 4;
  if (!function.result || !is_scalar(types, *function.result)) return args;
  ArgSource source = raw_args[1];
  source.size = register_size(types, *function.result);
  source.is_signed = types.is_signed_integer(*function.result);
  args.push_back({.type_text = types.spell(*function.result), .type = *function.result, .name = {}, .source = source});
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
  probe.args = is_entry ? entry_arguments(types, *function) : return_arguments(types, *function, probe);
}

}  // namespace dscope
