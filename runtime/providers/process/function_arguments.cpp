#include "runtime/providers/process/function_arguments.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>
#include <vector>

#include "arch/architecture.h"
#include "runtime/providers/process/argument_passing.h"

namespace dscope {
namespace {

// The byte offset in struct pt_regs of a register by its DWARF number; nullopt unless it is a general-purpose register.
std::optional<int64_t> saved_register(unsigned number) {
  const UnwindRegisters& registers = native_architecture().unwinding;
  return number < registers.offsets.size() ? std::optional<int64_t>{registers.offsets[number]} : std::nullopt;
}

// The location of a parameter in the debug information, which overrides that of the calling convention,
// `by_convention`.
std::optional<ArgSource> compiled_source(const TypeTable& types, TypeId type, const ParameterLocation& location,
                                         const ArgSource& by_convention) {
  auto size = types.is_scalar(type) ? static_cast<uint32_t>(types.size_of(type)) : 8;
  ArgSource source{.size = size, .is_signed = types.is_signed_integer(type)};
  std::optional<int64_t> saved = saved_register(location.number);
  switch (location.kind) {
    case ParameterLocation::Kind::Constant:
      source.kind = ArgSourceKind::Constant;
      source.offset = location.value;
      return source;
    case ParameterLocation::Kind::Register:
      if (!saved || !types.is_scalar(type) || types.resolved(type).kind == TypeKind::Float) return by_convention;
      source.kind = ArgSourceKind::Register;
      source.offset = *saved;
      return source;
    case ParameterLocation::Kind::MemoryAtRegister:
      if (!saved) return std::nullopt;
      source.base = static_cast<uint32_t>(*saved);
      break;
    case ParameterLocation::Kind::MemoryAtArgument: {
      if (by_convention.kind == ArgSourceKind::UserMemory) return by_convention;
      if (by_convention.kind != ArgSourceKind::Register) return std::nullopt;
      source.base = static_cast<uint32_t>(by_convention.offset);
      break;
    }
  }
  source.kind = ArgSourceKind::UserMemory;
  return source;
}

// If the compiler knows all callers of a function, it may pass parameters in other locations or not at all. In such a
// function the locations of parameters that debug information does not describe are unknown.
std::vector<ProbeArg> as_compiled(const TypeTable& types, const ProcessTypes::Function& function, bool is_changed,
                                  std::vector<ProbeArg> args) {
  std::vector<bool> is_located(args.size());
  for (size_t i = 0; i < args.size(); ++i) {
    const std::optional<ParameterLocation>& location = function.parameters[i].location;
    auto source = location ? compiled_source(types, args[i].type, *location, args[i].source) : std::nullopt;
    if (!source) continue;
    is_located[i] = true;
    is_changed |= source->kind == ArgSourceKind::Constant ||
                  (source->kind == ArgSourceKind::Register && *source != args[i].source);
    args[i].source = *source;
  }
  for (size_t i = 0; is_changed && i < args.size(); ++i) {
    if (is_located[i]) continue;
    args[i].type_text += " (the compiler passes it differently, or not at all)";
    args[i].type = TypeTable::error_type();
  }
  return args;
}

std::vector<ProbeArg> entry_arguments(TypeTable& types, const ProcessTypes::Function& function,
                                      ProcessTypes& process_types) {
  std::vector<ProbeArg> args;
  ArgumentLocations locations(types, process_types);
  if (function.result) locations.reserve_result(*function.result);
  // Behind a parameter that only debug information locates, the registers of the convention are not known.
  bool is_certain = true;
  for (const ProcessTypes::Parameter& parameter : function.parameters) {
    std::optional<ArgSource> source = locations.next(parameter);
    if (!source && !parameter.location) break;
    is_certain &= source.has_value();
    args.push_back({.type_text = types.spell(parameter.type),
                    .type = parameter.type,
                    .name = parameter.name,
                    .source = source.value_or(ArgSource{})});
  }
  return as_compiled(types, function, function.is_changed || !is_certain, std::move(args));
}

// 32-bit programs: arguments are on the stack, above the return address. If the compiler sees all callers, it may pass
// some in registers. Debug information shows which.
std::vector<ProbeArg> narrow_entry_arguments(TypeTable& types, const ProcessTypes::Function& function) {
  constexpr uint64_t word = 4;
  std::vector<ProbeArg> args;
  const FunctionAbi& abi = native_architecture().compat_functions;
  if (!abi.arguments.empty()) return args;
  int64_t offset = abi.stack_arguments;
  // The hidden argument: the address for an object that is returned.
  if (function.result && types.is_struct_or_union(function.result->type)) offset += word;
  for (const ProcessTypes::Parameter& parameter : function.parameters) {
    bool is_register = parameter.location && parameter.location->kind == ParameterLocation::Kind::Register;
    if (is_register || function.is_changed || types.size_of(parameter.type) == 0) return {};
    uint64_t size = parameter.is_by_reference ? word : types.size_of(parameter.type);
    ArgSource source{.kind = ArgSourceKind::StackWord,
                     .offset = offset,
                     .size = static_cast<uint32_t>(std::has_single_bit(size) ? std::min<uint64_t>(size, 8) : 8),
                     .is_signed = types.is_signed_integer(parameter.type)};
    if (parameter.is_by_reference) return args;
    args.push_back(
        {.type_text = types.spell(parameter.type), .type = parameter.type, .name = parameter.name, .source = source});
    offset += static_cast<int64_t>((size + word - 1) / word * word);
  }
  return args;
}

// 32-bit programs return values of one word, and the address of objects.
std::vector<ProbeArg> narrow_return_arguments(TypeTable& types, const ProcessTypes::Function& function,
                                              std::vector<ProbeArg> args) {
  constexpr uint64_t word = 4;
  if (args.size() < 2) return args;
  TypeId type = function.result->type;
  bool is_word = types.is_scalar(type) && types.resolved(type).kind != TypeKind::Float && types.size_of(type) <= word;
  const uint32_t result_register = native_architecture().compat_functions.result;
  if (types.is_struct_or_union(type)) args[1].source = {.kind = ArgSourceKind::UserMemory, .base = result_register};
  else if (!is_word) args.pop_back();
  else args[1].source.size = static_cast<uint32_t>(types.size_of(type));
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
  std::optional<ArgSource> source = ArgumentLocations(types, process_types).result(*function.result);
  if (source) args.push_back({.type_text = types.spell(type), .type = type, .name = {}, .source = *source});
  return args;
}

// The debug information of a function, found by its symbol or, for static C++ functions, by its name in the source.
std::optional<ProcessTypes::Function> find_described(const Probe& probe, uint64_t address, const ProcessScope& scope,
                                                     ProcessTypes& process_types, TypeTable& types) {
  auto found = process_types.find_function(types, scope, probe.function, address);
  // Symbols of nested functions have a number after a dot.
  if (size_t point = probe.function.find('.'); !found && point != std::string::npos)
    found = process_types.find_function(types, scope, probe.function.substr(0, point), address);
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
  // Copies that the compiler has specialized for some callers take other arguments than the source says.
  constexpr std::string_view copies[] = {".isra.", ".constprop.", ".part.", ".cold"};
  bool is_changed = std::ranges::any_of(
      copies, [&](std::string_view mark) { return probe.function.find(mark) != std::string::npos; });
  // The arguments at an instruction within a function are unknown.
  if (is_changed || (!is_entry && probe.name != "return")) return;
  auto address = symbols.find_unique(probe.function);
  auto function = address ? find_described(probe, *address, scope, process_types, types) : std::nullopt;
  if (!function) return;
  probe.args = is_entry ? symbols.is_32bit() ? narrow_entry_arguments(types, *function)
                                             : entry_arguments(types, *function, process_types)
                        : return_arguments(types, *function, probe, process_types);
  if (!is_entry && symbols.is_32bit()) probe.args = narrow_return_arguments(types, *function, std::move(probe.args));
}

}  // namespace dscope
