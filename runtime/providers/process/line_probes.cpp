#include "runtime/providers/process/line_probes.h"

#include <algorithm>

#include "arch/architecture.h"
#include "catalog/catalog.h"
#include "runtime/providers/process/function_arguments.h"
#include "runtime/providers/process/goroutines.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/text/format_join.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// A pattern with directories matches the end of a path, one without the name of the file.
bool is_file(std::string_view path, std::string_view pattern) {
  if (pattern.find('/') == std::string_view::npos) return field_matches(pattern, last_part(path));
  return field_matches(pattern, path) || field_matches(fmt::format("*/{}", pattern), path);
}

// The line of a line probe; number 0 for other probes.
SourceLine line_of(const Probe& probe) {
  auto field = LineProbes::parse(probe.readable_function);
  if (!field) return {};
  return {.path = field->file, .number = parse_integer<uint32_t>(field->line).value_or(0)};
}

std::vector<const HookUprobe*> hooks_of(const Probe& probe) {
  std::vector<const HookUprobe*> hooks;
  if (probe.sites.empty()) hooks.push_back(std::get_if<HookUprobe>(&probe.hook));
  for (const ProbeSite& site : probe.sites) hooks.push_back(std::get_if<HookUprobe>(&site.hook));
  std::erase(hooks, nullptr);
  return hooks;
}

VariablePlace problem(std::string text) { return {.parts = {}, .problem = std::move(text)}; }

// The place of an argument at the first instruction of its function.
VariablePlace place_of(const ArgSource& source) {
  auto part = [](LocationPart::Kind kind, int64_t register_offset, int64_t offset, uint32_t size) {
    LocationPart result{.kind = kind, .size = size, .steps = {{LocationOperation::Register, register_offset}}};
    if (offset != 0) {
      result.steps.push_back({LocationOperation::Constant, offset});
      result.steps.push_back({LocationOperation::Add});
    }
    return result;
  };
  using Kind = LocationPart::Kind;
  switch (source.kind) {
    case ArgSourceKind::Register: return {.parts = {part(Kind::Value, source.offset, 0, 0)}, .problem = {}};
    case ArgSourceKind::RegisterPair:
      return {.parts = {part(Kind::Value, source.offset, 0, 8), part(Kind::Value, source.base, 0, 8)}, .problem = {}};
    case ArgSourceKind::UserMemory:
      return {.parts = {part(Kind::Memory, source.base, source.offset, 0)}, .problem = {}};
    case ArgSourceKind::StackWord:
      return {.parts = {part(Kind::Memory, native_architecture().stack_pointer, source.offset, 0)}, .problem = {}};
    case ArgSourceKind::Constant:
      return {.parts = {{.kind = Kind::Value, .steps = {{LocationOperation::Constant, source.offset}}}}, .problem = {}};
    case ArgSourceKind::VectorRegister:
      return problem("it is in a vector register, which the kernel does not pass to probes");
    default: return problem("the compiler states no location for it");
  }
}

}  // namespace

// ---------------------------------------------------------------- lines

std::optional<LineField> LineProbes::parse(std::string_view function) {
  size_t at = function.rfind('@');
  if (at == std::string_view::npos || at == 0 || at + 1 == function.size()) return std::nullopt;
  LineField field{.file = function.substr(0, at), .line = function.substr(at + 1)};
  if (field.line.find_first_not_of("0123456789*?[]!-") != std::string_view::npos) return std::nullopt;
  return field;
}

bool LineProbes::matches(const Probe& probe, std::string_view function) {
  auto field = parse(function), own = parse(probe.readable_function);
  return field && own && is_file(own->file, field->file) && field_matches(field->line, own->line);
}

void LineProbes::add(const ProbedObject& probed, const ProcessScope& scope, std::string_view function,
                     std::string_view name, std::vector<Probe>& probes) const {
  TracedCode* code = types_.find_code(scope);
  auto field = parse(function);
  if (code == nullptr || !field) return;
  const ElfSymbols& symbols = probed.process.symbols(probed.object);
  auto is_wanted_file = [&](std::string_view path) { return is_file(path, field->file); };
  auto is_wanted_line = [&](uint32_t line) { return field_matches(field->line, fmt::format("{}", line)); };
  for (const LinePlace& place : code->find_lines(is_wanted_file, is_wanted_line)) {
    std::string_view own_name = place.function.empty() ? "?" : std::string_view{place.function};
    auto offset = symbols.file_offset(place.address);
    // The table may state any address: a breakpoint inside an instruction changes what the program does.
    bool is_code = offset && symbols.code_section_around(*offset) &&
                   probed.process.is_instruction(probed.object, place.address, tools_.read_code);
    if (!field_matches(name, own_name) || !is_code) continue;
    auto around = symbols.find(place.address);
    bool is_entry = around && around->start == place.address;
    Probe probe{.provider = probed.provider,
                .module = probed.module,
                .function = fmt::format("{}@{}", last_part(place.path), place.line),
                .name = std::string{own_name},
                .readable_function = fmt::format("{}@{}", place.path, place.line)};
    probe.hook = HookUprobe{.path = probed.process.probe_path(probed.object),
                            .offset = *offset,
                            .pid = probed.pid,
                            .position = is_entry ? UprobePosition::Entry : UprobePosition::Within};
    probes.push_back(std::move(probe));
  }
}

ProbeMistake LineProbes::mistake(const ProcessScope& scope, std::string_view function, std::string_view name) const {
  TracedCode* code = types_.find_code(scope);
  if (code == nullptr) {
    std::string reason = types_.why_missing(scope);
    return {Tag::D_PROC_FUNC, fmt::format("{} has no source lines", scope.object),
            reason.empty() ? "compile with -g, or install its debug symbols" : reason};
  }
  LineField field = *parse(function);
  std::vector<std::string> files = code->source_files();
  auto is_named = [&](const std::string& file) { return field_matches(last_part(field.file), file); };
  if (std::ranges::none_of(files, is_named)) {
    std::vector<std::string_view> names(files.begin(), files.end());
    std::string_view nearest = nearest_name(last_part(field.file), names);
    return {Tag::D_PROC_FUNC, fmt::format("{} has no source file {}", scope.object, field.file),
            nearest.empty() ? std::string{} : fmt::format("did you mean `{}`?", nearest)};
  }
  auto line = parse_integer<uint32_t>(field.line);
  std::optional<uint32_t> next;
  bool is_other_function = false;
  auto is_file_of = [&](std::string_view path) { return is_file(path, field.file); };
  for (const LinePlace& place : code->find_lines(is_file_of, [](uint32_t) { return true; })) {
    is_other_function |= place.line == line && !field_matches(name, place.function);
    bool is_nearer = line && place.line > *line && (!next || place.line < *next);
    if (is_nearer) next = place.line;
  }
  if (is_other_function)
    return {Tag::D_PROC_FUNC, fmt::format("no function that matches {} contains line {}", name, function),
            fmt::format("list them with `-l -n {}:`", function)};
  return {Tag::D_PROC_FUNC, fmt::format("no code is attributed to line {}", function),
          next ? fmt::format("the next line with code is `{}@{}`", field.file, *next) : std::string{}};
}

// ---------------------------------------------------------------- variables

// `place`, or the reason why a variable of that type cannot be read there.
VariablePlace LineProbes::checked(VariablePlace place, const TypeTable& types, TypeId type) const {
  if (!place.is_readable()) return place;
  uint64_t size = types.size_of(type), located = 0;
  constexpr uint64_t word = 8, max_copy = 1024;
  if (size == 0) return problem("the size of its type is not known");
  if (types.resolved(type).kind == TypeKind::Float && size > word)
    return problem("D has no floating-point numbers of this size");
  if (place.is_memory()) return place;
  for (const LocationPart& part : place.parts) {
    if (part.size == 0 && size > word && part.kind == LocationPart::Kind::Value)
      return problem("it is in a register that the kernel does not pass to probes");
    located += part.size == 0 ? size : part.size;
  }
  if (located < size) return problem("a part of it is optimized out here");
  return size > max_copy ? problem("it is spread over registers and memory, and too large to copy") : place;
}

// At its first instruction, unoptimized code has not stored the parameters yet: the calling convention applies.
void LineProbes::load_at_entry(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope,
                               TypeTable& types) const {
  Probe copy = probe;
  copy.args.clear();
  load_function_arguments(copy, symbols, scope, types_, types);
  for (const ProbeArg& argument : copy.args) {
    if (argument.name.empty()) continue;
    TracedVariable& variable = probe.variables.emplace_back(TracedVariable{
        .name = argument.name, .type_text = argument.type_text, .type = argument.type, .is_parameter = true});
    VariablePlace place = argument.type == TypeTable::error_type() ? problem("the compiler passes it differently")
                                                                   : place_of(argument.source);
    variable.places.assign(std::max<size_t>(hooks_of(probe).size(), 1),
                           checked(std::move(place), types, argument.type));
  }
  load_in_registers(probe, symbols, scope, types);
}

// Parameters that the calling convention of C does not locate: where debug information has them in registers at the
// first instruction, they are there. Places in memory may hold only after the prologue.
void LineProbes::load_in_registers(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope,
                                   TypeTable& types) const {
  auto is_missing = [](const TracedVariable& variable) { return !variable.is_readable(); };
  TracedCode* code = std::ranges::any_of(probe.variables, is_missing) ? types_.find_code(scope) : nullptr;
  std::vector<const HookUprobe*> hooks = hooks_of(probe);
  if (code == nullptr || hooks.size() != 1) return;
  for (TracedCode::Variable& found : code->variables(symbols.virtual_address(hooks[0]->offset), {})) {
    auto own = std::ranges::find(probe.variables, found.found.name, &TracedVariable::name);
    bool is_value = !found.place.parts.empty() && std::ranges::all_of(found.place.parts, [](const LocationPart& part) {
      return part.kind == LocationPart::Kind::Value;
    });
    if (own == probe.variables.end() || own->is_readable() || !found.found.is_parameter || !is_value) continue;
    own->type = types_.import(types, scope, found.type);
    own->type_text = types.spell(own->type);
    own->places.assign(1, checked(std::move(found.place), types, own->type));
  }
}

void LineProbes::load_variables(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope,
                                TypeTable& types) const {
  std::vector<const HookUprobe*> hooks = hooks_of(probe);
  SourceLine line = line_of(probe);
  bool is_entry = line.number == 0 && !hooks.empty() && hooks.front()->position == UprobePosition::Entry;
  if (is_entry) return load_at_entry(probe, symbols, scope, types);
  TracedCode* code = types_.find_code(scope);
  for (size_t i = 0; code != nullptr && i < hooks.size(); ++i) {
    for (TracedCode::Variable& found : code->variables(symbols.virtual_address(hooks[i]->offset), line)) {
      TypeId type = types_.import(types, scope, found.type);
      std::string text = types.spell(type);
      auto known = std::ranges::find(probe.variables, found.found.name, &TracedVariable::name);
      if (known == probe.variables.end()) {
        probe.variables.push_back({.name = found.found.name,
                                   .type_text = text,
                                   .type = type,
                                   .is_parameter = found.found.is_parameter,
                                   .is_global = found.found.is_outside});
        known = std::prev(probe.variables.end());
        known->places.assign(hooks.size(), problem("it is not in scope here"));
      }
      VariablePlace& place = known->places[i];
      if (hooks[i]->position == UprobePosition::Returned)
        place = problem("the probe fires when the function has returned; use its entry or a line");
      else if (symbols.is_32bit()) place = problem("variables of 32-bit programs are not supported");
      else if (text != known->type_text) place = problem("it has another type here");
      else place = checked(std::move(found.place), types, type);
    }
  }
}

void LineProbes::add_global(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope, TypeTable& types,
                            const std::string& name) const {
  std::vector<const HookUprobe*> hooks = hooks_of(probe);
  TracedCode* code = types_.find_code(scope);
  if (name == "goid" || name == goroutine_number) return add_goid(probe, symbols, scope, types, name);
  if (code == nullptr || hooks.empty() || symbols.is_32bit()) return;
  TracedVariable variable{.name = name, .is_global = true};
  for (const HookUprobe* hook : hooks) {
    // The file's address in the process follows from that of the instruction, which a return probe does not have.
    if (hook->position == UprobePosition::Returned) return;
    auto found = code->find_global(symbols.virtual_address(hook->offset), name);
    if (!found) return;
    variable.type = types_.import(types, scope, found->type);
    variable.type_text = types.spell(variable.type);
    variable.places.push_back(checked(std::move(found->place), types, variable.type));
  }
  probe.variables.push_back(std::move(variable));
}

void LineProbes::add_goid(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope, TypeTable& types,
                          const std::string& name) const {
  if (!symbols.is_go()) return;
  std::optional<uint64_t> offset = goid_offset(symbols.go_version());
  if (auto routine = types_.find(types, scope, "struct runtime.g")) {
    types_.complete(types, *routine);
    for (const TypeMember& member : types.resolved(*routine).members)
      if (member.name == "goid") offset = member.bit_offset / 8;
  }
  TracedVariable variable{.name = name, .type_text = "uint64_t", .type = *types.find("uint64_t"), .is_global = true};
  for (const HookUprobe* hook : hooks_of(probe)) {
    auto function = symbols.find(symbols.virtual_address(hook->offset));
    bool is_go = function && has_go_convention(function->name) && symbols.is_go_function(function->start);
    if (!symbols.passes_registers_as_go())
      variable.places.push_back(problem("only programs of Go 1.18 or later have the goroutine in a register"));
    else if (!offset)
      variable.places.push_back(
          problem("the goroutine's number has an unknown place in programs of this Go version "
                  "without debug information"));
    else
      variable.places.push_back(is_go ? goid_place(*offset)
                                      : problem("the function has another calling convention than those in Go"));
  }
  probe.variables.push_back(std::move(variable));
}

std::string LineProbes::explain(const Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope,
                                const std::string& name) const {
  TracedCode* code = types_.find_code(scope);
  std::vector<const HookUprobe*> hooks = hooks_of(probe);
  if (code == nullptr) return types_.why_missing(scope);
  SourceLine line = line_of(probe);
  auto known = std::ranges::find(probe.variables, name, &TracedVariable::name);
  if (known != probe.variables.end()) {
    if (line.number == 0 || hooks.empty()) return {};
    auto nearest = code->nearest_line(symbols.virtual_address(hooks.front()->offset), line, name);
    return nearest ? fmt::format("the nearest line where it is alive is `{}@{}`", last_part(line.path), *nearest)
                   : std::string{"no other line of the function has its value"};
  }
  std::vector<std::string_view> names;
  for (const TracedVariable& variable : probe.variables)
    if (variable.is_readable()) names.push_back(variable.name);
  if (std::string_view nearest = nearest_name(name, names); !nearest.empty())
    return fmt::format("did you mean `${}`?", nearest);
  constexpr size_t max_names = 12;
  if (names.size() > max_names) names.resize(max_names);
  return names.empty() ? "no variable of the program can be read here"
                       : fmt::format("variables here: ${}", fmt::join(names, ", $"));
}

}  // namespace dscope
