// Parses the whole text at construction. Shares the spelling of types and intervals with the host of real machines.
#include "tests/support/fake_host.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "catalog/catalog.h"
#include "contract/types/type_text.h"
#include "runtime/providers/interval_name.h"
#include "runtime/providers/stability.h"
#include "runtime/providers/system_call.h"
#include "support/check.h"
#include "support/format.h"
#include "support/result.h"
#include "support/text/glob.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

std::string read_default_machine() {
  std::ifstream file{DSCOPE_FAKE_HOST_FILE};
  DS_CHECK(file.good());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string_view trim(std::string_view text) {
  size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t") + 1 - start);
}

// Removes the text up to and including `separator` from `rest` and returns it without the separator. Without a
// separator, returns all of `rest`.
std::string_view take_until(std::string_view& rest, std::string_view separator) {
  size_t end = rest.find(separator);
  std::string_view taken = trim(rest.substr(0, end));
  rest = end == std::string_view::npos ? std::string_view{} : trim(rest.substr(end + separator.size()));
  return taken;
}

std::string_view take_word(std::string_view& rest) { return take_until(rest, " "); }

template <typename T = uint32_t>
T read_number(std::string_view text, int base = 10) {
  auto value = parse_integer<T>(text, base);
  DS_CHECK(value.has_value());
  return *value;
}

bool field_matches(std::string_view pattern, std::string_view text) {
  return pattern.empty() || glob_matches(pattern, text);
}

bool matches(const ProbeDescription& description, const Probe& probe) {
  return field_matches(description.provider, probe.provider) && field_matches(description.module, probe.module) &&
         field_matches(description.function, probe.function) && field_matches(description.name, probe.name);
}

// Accepts aliases as a real machine does: module names of other systems, the C library's names of system calls.
ProbeDescription as_published(ProbeDescription description) {
  for (std::string_view alias : {"genunix", "unix", "kernel"})
    if (description.module == alias) description.module = "vmlinux";
  constexpr std::pair<std::string_view, std::string_view> aliases[] = {{"stat", "newstat"}, {"uname", "newuname"}};
  for (auto [alias, kernel_name] : aliases)
    if (description.function == alias) description.function = kernel_name;
  return description;
}

Hook interval_hook(const IntervalName& interval) {
  if (interval.is_tick) return HookTimer{interval.period_ns};
  return HookPerfClock{interval.period_ns};
}

const std::vector<ArgSource> interval_args = {{.kind = ArgSourceKind::KernelPc}, {.kind = ArgSourceKind::UserPc}};

}  // namespace

FakeHost::FakeHost() { read(read_default_machine()); }
FakeHost::FakeHost(std::string_view text) { read(text); }

// ---------------------------------------------------------------- reading

void FakeHost::read(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    if (is_within_type_) read_type_line(line);
    else read_line(line);
  }
  DS_CHECK(!is_within_type_);
}

void FakeHost::read_line(std::string_view line) {
  std::string_view rest = line;
  std::string_view keyword = take_word(rest);
  if (keyword == "fact") return read_fact(rest);
  if (keyword == "syscall") return add_syscall(rest);
  if (keyword == "sdt" || keyword == "rawtp") return add_tracepoint(keyword, rest);
  if (keyword == "derived") return add_derived(rest);
  if (keyword == "on_exec") {
    probes_.back().may_lack_pages = true;
    return;
  }
  if (keyword == "function") return add_function(rest);
  if (keyword == "iterator") return add_iterator(rest);
  if (keyword == "line") return add_traced_line(rest);
  if (keyword == "struct") return begin_type(TypeKind::Struct, keyword, rest);
  if (keyword == "union") return begin_type(TypeKind::Union, keyword, rest);
  if (keyword == "enum") return begin_type(TypeKind::Enum, keyword, rest);
  if (keyword == "forward") return add_forward(rest);
  std::string name{take_word(rest)};
  if (keyword == "dtrace") {
    auto role = name == "BEGIN" ? HookTestRun::Role::Begin
                : name == "END" ? HookTestRun::Role::End
                                : HookTestRun::Role::Error;
    add_probe({.provider = "dtrace", .name = name, .hook = HookTestRun{role}});
  } else if (keyword == "interval") {
    auto interval = read_interval_name(name);
    DS_CHECK(interval.has_value());
    add_probe({.provider = "profile", .name = name, .hook = interval_hook(*interval), .raw_args = interval_args});
  } else if (keyword == "symbol") {
    uint64_t address = read_number<uint64_t>(take_until(rest, ":"), 16);
    symbols_[name] = {address, std::string{rest}};
  } else {
    DS_CHECK(keyword == "typedef");
    take_until(rest, ":");
    type_rows_[name] = static_cast<uint32_t>(types_.size());
    types_.push_back({.kind = TypeKind::Typedef, .name = name, .base = std::string{rest}});
  }
}

void FakeHost::read_fact(std::string_view rest) {
  std::string_view name = take_word(rest);
  if (name == "kernel_release") facts_.kernel_release = rest;
  else if (name == "cpu_count") facts_.cpu_count = facts_.online_cpu_count = read_number(rest);
  else if (name == "max_stack_frames") facts_.max_stack_frames = read_number(rest);
  else if (name == "has_raw_tp_cookie") facts_.has_raw_tp_cookie = rest == "1";
  else if (name == "has_exact_uprobe_pids") facts_.has_exact_uprobe_pids = rest == "1";
  else if (name == "has_cpu_v4") facts_.has_cpu_v4 = rest == "1";
  else {
    DS_CHECK(name == "has_task_pt_regs");
    facts_.has_task_pt_regs = rest == "1";
  }
}

Probe& FakeHost::add_probe(Probe probe) { return add_probe(std::move(probe), ProbeSource{}); }

Probe& FakeHost::add_probe(Probe probe, ProbeSource source) {
  probe.id = static_cast<uint32_t>(probes_.size() + 1);
  probes_.push_back(std::move(probe));
  sources_.push_back(std::move(source));
  return probes_.back();
}

void FakeHost::add_syscall(std::string_view rest) {
  uint32_t number = read_number(take_word(rest));
  std::string name{take_until(rest, ":")};
  ProbeSource source;
  while (!rest.empty()) source.parameters.emplace_back(take_until(rest, ","));
  Probe& entry = add_probe({.provider = "syscall",
                            .module = "vmlinux",
                            .function = name,
                            .name = "entry",
                            .hook = HookSyscall{number, false},
                            .has_typed_args = true},
                           std::move(source));
  mark_system_call(entry);
  for (uint32_t i = 0; i < 6; ++i) entry.raw_args.push_back({.kind = ArgSourceKind::SyscallArg, .index = i});
  ArgSource result{.kind = ArgSourceKind::SyscallReturn, .is_signed = true};
  mark_system_call(add_probe({.provider = "syscall",
                              .module = "vmlinux",
                              .function = name,
                              .name = "return",
                              .hook = HookSyscall{number, true},
                              .raw_args = {result, result},
                              .has_typed_args = true}));
}

void FakeHost::add_derived(std::string_view rest) {
  Probe probe{.provider = std::string{take_word(rest)}, .module = "vmlinux", .name = std::string{take_word(rest)}};
  Derivation derivation{.order = read_number(take_word(rest))};
  std::string_view subject = take_until(rest, "|");
  if (subject != "-") derivation.subject = read_number(subject);
  ProbeSource source;
  for (std::string_view arguments = take_until(rest, "|"); !arguments.empty();)
    source.parameters.emplace_back(take_until(arguments, ","));
  derivation.clause = rest;
  auto known = std::find_if(probes_.begin(), probes_.end(), [&](const Probe& other) {
    return other.provider == probe.provider && other.name == probe.name;
  });
  if (known != probes_.end()) return known->derivations.push_back(std::move(derivation));
  probe.has_typed_args = true;
  probe.derivations.push_back(std::move(derivation));
  add_probe(std::move(probe), std::move(source));
}

void FakeHost::add_function(std::string_view rest) {
  constexpr uint32_t raw_arguments = 10;
  HookFunction hook{.module = std::string{take_word(rest)}, .supports_trampoline = true};
  hook.function = take_until(rest, ":");
  hook.type_id = static_cast<uint32_t>(probes_.size()) + 1;
  ProbeSource entry, exit;
  exit.parameters.emplace_back("unsigned long offset");
  if (std::string_view result = take_until(rest, ":"); result != "void")
    exit.parameters.push_back(fmt::format("{} value", result));
  while (!rest.empty()) entry.parameters.emplace_back(take_until(rest, ","));
  auto add = [&](std::string name, ProbeSource source) -> Probe& {
    hook.is_return = name == "return";
    return add_probe({.provider = "fbt",
                      .module = hook.module,
                      .function = hook.function,
                      .name = std::move(name),
                      .hook = hook,
                      .has_typed_args = true},
                     std::move(source));
  };
  std::vector<ArgSource>& arguments = add("entry", std::move(entry)).raw_args;
  for (uint32_t i = 0; i < raw_arguments; ++i) arguments.push_back({.kind = ArgSourceKind::FunctionArg, .index = i});
  add("return", std::move(exit)).raw_args = {{.kind = ArgSourceKind::Constant, .offset = -1},
                                             {.kind = ArgSourceKind::FunctionResult, .is_signed = true}};
}

// Arguments start at context word 1: word 0 belongs to the iterator.
void FakeHost::add_iterator(std::string_view rest) {
  std::string kind{take_until(rest, ":")};
  HookIterator hook{.target = kind, .type_id = static_cast<uint32_t>(probes_.size()) + 1};
  ProbeSource source;
  while (!rest.empty()) {
    std::string_view parameter = take_until(rest, ",");
    source.parameters.emplace_back(parameter);
    auto word = static_cast<uint32_t>(source.parameters.size());
    if (parameter.find('*') != std::string_view::npos) hook.objects.push_back(word);
    if (!hook.subject && parameter.starts_with("struct task_struct")) hook.subject = word;
  }
  add_probe({.provider = "iter",
             .module = "vmlinux",
             .function = kind,
             .name = kind,
             .hook = std::move(hook),
             .has_typed_args = true},
            std::move(source));
}

void FakeHost::add_tracepoint(std::string_view provider, std::string_view rest) {
  std::string module{take_word(rest)};
  std::string name{take_until(rest, ":")};
  ProbeSource source;
  bool is_raw = provider == "rawtp";
  while (!rest.empty()) {
    std::string_view text = take_until(rest, is_raw ? "," : ";");
    if (is_raw) {
      source.parameters.emplace_back(text);
    } else {
      uint32_t offset = read_number(take_word(text));
      uint32_t size = read_number(take_word(text));
      source.fields.push_back({offset, size, std::string{text}});
    }
  }
  Hook hook = HookRawTracepoint{name};
  if (!is_raw) hook = HookTracepoint{module, name};
  add_probe({.provider = std::string{provider}, .module = module, .name = name, .hook = hook, .has_typed_args = true},
            std::move(source));
}

void FakeHost::add_traced_line(std::string_view rest) {
  std::string line{take_word(rest)}, function{take_until(rest, ":")};
  ProbeSource source;
  while (!rest.empty()) source.variables.emplace_back(take_until(rest, ";"));
  HookUprobe hook{.path = "/bin/shop", .offset = probes_.size() * 16, .position = UprobePosition::Within};
  add_probe({.provider = "uprobe", .module = "shop", .function = line, .name = function, .hook = hook},
            std::move(source));
}

void FakeHost::add_forward(std::string_view name) {
  type_rows_[std::string{name}] = static_cast<uint32_t>(types_.size());
  types_.push_back({.kind = TypeKind::Forward, .name = std::string{name}});
}

void FakeHost::begin_type(TypeKind kind, std::string_view keyword, std::string_view rest) {
  std::string name = fmt::format("{} {}", keyword, take_word(rest));
  type_rows_[name] = static_cast<uint32_t>(types_.size());
  types_.push_back({.kind = kind, .name = name, .size = read_number(rest)});
  is_within_type_ = true;
}

void FakeHost::read_type_line(std::string_view rest) {
  NamedType& type = types_.back();
  if (rest == "end") {
    is_within_type_ = false;
  } else if (type.kind == TypeKind::Enum) {
    std::string name{take_word(rest)};
    type.enumerators.push_back({std::move(name), read_number<int64_t>(rest)});
  } else {
    std::string_view place = take_word(rest);
    Member member{.offset = read_number(take_until(place, ":")), .text = std::string{rest}};
    if (!place.empty()) {
      member.bit = read_number(take_until(place, ":"));
      member.width = read_number(place);
    }
    type.members.push_back(std::move(member));
  }
}

// ---------------------------------------------------------------- probes

std::vector<const Probe*> FakeHost::match(const ProbeDescription& written) {
  std::vector<const Probe*> found;
  if (written.id) {
    if (*written.id >= 1 && *written.id <= probes_.size()) found.push_back(&probes_[*written.id - 1]);
    return found;
  }
  ProbeDescription description = as_published(written);
  for (const Probe& probe : probes_)
    if (matches(description, probe)) found.push_back(&probe);
  if (found.empty())
    if (const Probe* created = create_interval(description)) found.push_back(created);
  return found;
}

const Probe* FakeHost::create_interval(const ProbeDescription& description) {
  bool could_be = field_matches(description.provider, "profile") && field_matches(description.module, "") &&
                  field_matches(description.function, "") && !is_glob(description.name);
  auto interval = could_be ? read_interval_name(description.name) : std::nullopt;
  if (!interval || interval->period_ns < min_interval_ns) return nullptr;
  return &add_probe(
      {.provider = "profile", .name = description.name, .hook = interval_hook(*interval), .raw_args = interval_args});
}

void FakeHost::load_variables(const Probe& probe, TypeTable& types) {
  Probe& own = probes_[probe.id - 1];
  ProbeSource& source = sources_[probe.id - 1];
  if (std::exchange(source.variables_in, &types) == &types) return;
  own.variables.clear();
  for (std::string_view rest : source.variables) {
    std::string_view place = take_word(rest);
    DeclarationText declaration = split_declaration(std::string{rest});
    TypeId type = read_type(types, declaration.type, true).value_or(TypeTable::error_type());
    LocationPart part{.kind = place[0] == 'm' ? LocationPart::Kind::Memory : LocationPart::Kind::Value};
    VariablePlace found{.parts = {}, .problem = "it is optimized out here"};
    if (place != "-") {
      part.steps.push_back({LocationOperation::Register, read_number<int64_t>(place.substr(1))});
      found = {.parts = {part}, .problem = {}};
    }
    own.variables.push_back(
        {.name = declaration.name, .type_text = types.spell(type), .type = type, .places = {std::move(found)}});
  }
}

const TracedVariable* FakeHost::find_variable(const Probe& probe, TypeTable& types, std::string_view name) {
  load_variables(probe, types);
  if (name == goroutine_number) name = "goid";
  auto found = std::ranges::find(probe.variables, name, &TracedVariable::name);
  return found == probe.variables.end() ? nullptr : &*found;
}

std::string FakeHost::explain_variable(const Probe& probe, std::string_view name) {
  return probe.variables.empty() ? "" : fmt::format("a hint about {}", name);
}

void FakeHost::load_args(const Probe& probe, TypeTable& types) {
  Probe& own = probes_[probe.id - 1];
  ProbeSource& source = sources_[probe.id - 1];
  if (own.args_loaded && source.loaded_into == &types) return;
  own.args_loaded = true;
  source.loaded_into = &types;
  own.args.clear();
  if (own.provider == "sdt" || own.provider == "rawtp") own.raw_args.clear();
  if (own.provider == "syscall" && own.name == "return")
    for (const ArgSource& result : own.raw_args)
      own.args.push_back({.type_text = "long", .type = types.integer(8, true), .source = result});
  if (!own.derivations.empty()) return load_derived(own, source, types);
  load_parameters(own, source, types);
  load_fields(own, source, types);
}

void FakeHost::load_derived(Probe& probe, const ProbeSource& source, TypeTable& types) {
  for (const std::string& text : source.parameters) {
    std::string_view translated = text, native = take_until(translated, ":");
    auto type = read_type(types, native, false);
    probe.args.push_back({.type_text = std::string{native},
                          .type = type.value_or(TypeTable::error_type()),
                          .name = {},
                          .source = {},
                          .translated_text = std::string{translated}});
  }
}

void FakeHost::load_parameters(Probe& probe, const ProbeSource& source, TypeTable& types) {
  bool is_syscall = probe.provider == "syscall", is_function = probe.provider == "fbt";
  for (const std::string& text : source.parameters) {
    bool is_unnamed = text.ends_with(" -");
    DeclarationText declaration = split_declaration(is_unnamed ? text.substr(0, text.size() - 1) + "unnamed" : text);
    if (is_unnamed) declaration.name.clear();
    TypeId type = read_type(types, declaration.type, is_syscall).value_or(TypeTable::error_type());
    uint32_t index = static_cast<uint32_t>(probe.args.size());
    ArgSource place{.kind = is_syscall ? ArgSourceKind::SyscallArg : ArgSourceKind::CtxSlot,
                    .index = index,
                    .size = static_cast<uint32_t>(types.size_of(type)),
                    .is_signed = types.is_signed_integer(type)};
    if (probe.provider == "iter") ++place.index;
    if (is_function) place.kind = ArgSourceKind::FunctionArg;
    if (is_function && probe.name == "return") place = probe.raw_args[index];
    if (!is_syscall && !is_function) probe.raw_args.push_back(place);
    probe.args.push_back({declaration.type, type, declaration.name, place});
  }
}

void FakeHost::load_fields(Probe& probe, const ProbeSource& source, TypeTable& types) {
  for (const Field& field : source.fields) {
    DeclarationText declaration = split_declaration(field.text);
    auto type = read_type(types, declaration.type, false);
    DS_CHECK(type.has_value());
    ArgSource place{.kind = ArgSourceKind::RecordField,
                    .offset = field.offset + moved_bytes_,
                    .size = field.size,
                    .is_signed = types.is_signed_integer(*type)};
    std::string text = declaration.type;
    if (declaration.is_data_loc || !declaration.array_suffix.empty()) {
      place = {.kind = declaration.is_data_loc ? ArgSourceKind::RecordDataLoc : ArgSourceKind::RecordAddress,
               .offset = field.offset + moved_bytes_,
               .size = declaration.is_data_loc ? 4U : 8U};
      type = types.pointer_to(*type);
      text += " *";
    }
    probe.raw_args.push_back(place);
    probe.args.push_back({text, *type, declaration.name, place});
  }
}

ProviderAttributes FakeHost::provider_attributes(std::string_view provider) { return attributes_of_provider(provider); }

std::string FakeHost::why_missing(const ProbeDescription& description) {
  for (const Probe& probe : probes_)
    if (field_matches(description.provider, probe.provider)) return {};
  return fmt::format("there is no provider `{}`; known: dtrace fbt proc profile rawtp sched sdt syscall",
                     description.provider);
}

// ---------------------------------------------------------------- types

std::optional<TypeId> FakeHost::read_type(TypeTable& types, std::string_view text, bool is_userland) {
  auto lookup = [&](const std::string& name) -> std::optional<TypeId> {
    auto row = type_rows_.find(name);
    if (row == type_rows_.end()) return std::nullopt;
    return import(types, row->second);
  };
  return read_type_text(types, text, is_userland ? PointerSpace::User : PointerSpace::Kernel, lookup);
}

std::string FakeHost::nearest_type(std::string_view name) {
  std::vector<std::string_view> names;
  std::string_view kind = name.substr(0, name.find(' ') + 1);
  for (const auto& [known, row] : type_rows_)
    if (known.starts_with(kind) && types_[row].kind != TypeKind::Forward) names.push_back(known);
  return std::string(nearest_name(name, names));
}

std::optional<TypeId> FakeHost::find_type(TypeTable& types, std::string_view module, std::string_view name) {
  if (!module.empty() && as_published({.module = std::string{module}}).module != "vmlinux") return std::nullopt;
  auto row = type_rows_.find(name);
  if (row == type_rows_.end() || types_[row->second].kind == TypeKind::Forward) return std::nullopt;
  return import(types, row->second);
}

TypeId FakeHost::import(TypeTable& types, uint32_t row) {
  uint32_t origin = row + 1;
  auto& imported = imported_[&types];
  if (auto known = imported.find(origin); known != imported.end())
    if (known->second.index < types.size() && types.get(known->second).origin == origin) return known->second;
  const NamedType& source = types_[row];
  size_t unnamed = source.name.find(" anon_");
  TypeId id = types.add({.kind = source.kind,
                         .name = source.name.substr(0, unnamed),
                         .size = source.size,
                         .origin = origin,
                         .is_complete = source.kind == TypeKind::Forward});
  imported[origin] = id;
  if (source.kind == TypeKind::Typedef) {
    auto base = read_type(types, source.base, false);
    DS_CHECK(base.has_value());
    types.edit(id).base = *base;
    types.edit(id).size = types.size_of(*base);
    types.edit(id).is_complete = true;
  }
  return id;
}

void FakeHost::complete_type(TypeTable& types, TypeId id) {
  id = types.resolve(id);
  if (types.get(id).is_complete) return;
  const NamedType& source = types_[types.get(id).origin - 1];
  types.edit(id).is_complete = true;
  types.edit(id).enumerators = source.enumerators;
  for (TypeEnumerator& each : types.edit(id).enumerators) each.value += moved_bytes_;
  std::vector<TypeMember> members;
  for (const Member& row : source.members) {
    std::string_view text = row.text;
    bool is_unnamed = text.ends_with(" -");
    if (is_unnamed) text.remove_suffix(2);
    DeclarationText declaration = split_declaration(is_unnamed ? fmt::format("{} unnamed", text) : row.text);
    auto type = read_type(types, declaration.type + declaration.array_suffix, false);
    DS_CHECK(type.has_value());
    members.push_back({.name = is_unnamed ? "" : declaration.name,
                       .type = *type,
                       .bit_offset = (row.offset + moved_bytes_) * 8 + row.bit,
                       .bit_size = row.width});
  }
  types.edit(id).members = std::move(members);
}

std::optional<KernelSymbol> FakeHost::find_symbol(TypeTable& types, std::string_view module, std::string_view name) {
  if (!module.empty() && as_published({.module = std::string{module}}).module != "vmlinux") return std::nullopt;
  auto symbol = symbols_.find(name);
  if (symbol == symbols_.end()) return std::nullopt;
  KernelSymbol result{.address = symbol->second.address + moved_bytes_};
  if (!symbol->second.type.empty()) result.type = read_type(types, symbol->second.type, false);
  return result;
}

}  // namespace dscope
