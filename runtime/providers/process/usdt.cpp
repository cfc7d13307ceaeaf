// USDT: static probes of running processes, python123:python3.11::gc-start (providers.md 8). The provider of a probe is
// the name in the program followed by the process id. No probes are published: descriptions create them. A pattern such
// as python*:::gc-start matches all processes, including those that start while tracing: such probes are attached to
// files, in every process that maps them.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "arch/architecture.h"
#include "catalog/catalog.h"
#include "contract/process_provider.h"
#include "contract/types/type_text.h"
#include "runtime/dwarf/process_types.h"
#include "runtime/providers/process/known_processes.h"
#include "runtime/providers/process/mapped_file.h"
#include "runtime/providers/process/usdt_operand.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/text/format_join.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

// "python123" split into the name, which may be a pattern, and the process id.
struct ProviderOfProcess {
  std::string_view name;
  uint32_t pid = 0;
};

std::optional<ProviderOfProcess> split(std::string_view provider) {
  size_t digits = provider.find_last_not_of("0123456789") + 1;
  ProviderOfProcess result{.name = provider.substr(0, digits)};
  bool is_pid = result.name == pid_provider || result.name == "pid-";  // -1 is not a process either
  if (digits == 0 || digits == provider.size() || is_pid) return std::nullopt;
  result.pid = parse_integer<uint32_t>(provider.substr(digits)).value_or(0);
  return result.pid != 0 ? std::optional{result} : std::nullopt;
}

// The definition of a probe; nothing if there is none or if its number of arguments differs from the program's.
const DefinedProbe* definition_of(const ProcessFunctions::StaticProbe& probe, size_t operands) {
  const DefinedProbe* found = probe.defined_probe;
  return found != nullptr && found->input.size() == operands ? found : nullptr;
}

// The locations of arg0 and up, in the order of the program or of the definition's view.
std::vector<ArgSource> argument_sources(const ProcessFunctions::StaticProbe& probe) {
  const uint32_t stack_pointer = native_architecture().stack_pointer;
  std::vector<ArgSource> operands = read_usdt_operands(native_architecture(), probe.note.arguments);
  for (ArgSource& operand : operands)
    if (operand.kind == ArgSourceKind::UserMemory && operand.base == stack_pointer) operand.offset += probe.stack_shift;
  const DefinedProbe* definition = definition_of(probe, operands.size());
  if (definition == nullptr) return operands;
  std::vector<ArgSource> view;
  for (const ViewedArgument& argument : definition->view) view.push_back(operands[argument.input]);
  return view;
}

// True for a pattern for providers of several processes: "python*".
bool is_of_processes(std::string_view provider) {
  return !is_literal(provider) && !provider.empty() && !split(provider);
}

class UsdtProvider final : public Provider {
 public:
  UsdtProvider(ProcessRows rows, ProcessTypes& process_types, const ProcessTools& tools)
      : rows_(rows), process_types_(process_types), tools_(tools) {}

  std::string_view name() const override { return "usdt"; }
  bool could_match(const ProbeDescription& description) const override {
    return split(description.provider).has_value() || is_of_processes(description.provider);
  }
  // Inspecting all processes takes long.
  bool is_last_resort(const ProbeDescription& description) const override {
    return is_of_processes(description.provider);
  }
  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}

  ProbeDescription as_published(ProbeDescription description) const override {
    auto wanted = split(description.provider);
    return wanted ? processes_.as_published(wanted->pid, std::move(description)) : description;
  }

  std::vector<Probe> create_all(const ProbeDescription& description) override;
  std::optional<ProbeMistake> mistake(const ProbeDescription& description) override {
    auto provider = split(description.provider);
    if (!provider || processes_.open(provider->pid) != nullptr) return std::nullopt;
    return open_mistake(provider->pid);
  }
  std::string why_missing(const ProbeDescription& description) override;
  void load_args(Probe& probe, TypeTable& types) override;
  void refresh_process(uint32_t process, uint32_t pid) override {
    processes_.refresh(process, pid);
    done_.clear();
  }
  bool refresh_file(uint32_t pid, const std::string& path) override;
  std::optional<Probe> make_placeholder(const ProbeDescription& description) override {
    auto provider = split(description.provider);
    if (is_of_processes(description.provider)) provider = ProviderOfProcess{.name = description.provider};
    if (!provider) return std::nullopt;
    return Probe{.provider = description.provider,
                 .module = description.module,
                 .function = description.function,
                 .name = description.name,
                 .sites = {{.hook = HookUprobe{.path = {}, .pid = provider->pid}, .raw_args = {}}},
                 .has_typed_args = true};
  }
  std::optional<ProviderAttributes> attributes(std::string_view provider) override {
    auto found = attributes_.find(provider);
    return found == attributes_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  // Selects the probes of an object to create.
  struct Wanted {
    const ProbeDescription& description;
    std::function<bool(const StapsdtNote& note)> is_provider;
    uint32_t pid = 0;  // 0: of all processes
  };
  // Probes in the order of creation. A file may have 60,000 static probes, so they are found by name in constant time.
  struct ProbeList {
    std::vector<Probe> probes;
    std::unordered_map<std::string, size_t> index;  // by full name
  };
  void add_object(ProcessFunctions& process, size_t index, const Wanted& wanted, ProbeList& list);
  void add_process(const ProviderOfProcess& provider, const ProbeDescription& description, ProbeList& list);
  void add_processes(const ProbeDescription& description, ProbeList& list);

  // The demangled name of a function; empty if its symbol is not mangled.
  std::string demangled(const std::string& function) const {
    std::string text = tools_.demangle != nullptr ? tools_.demangle(function) : function;
    return text == function ? std::string{} : text;
  }

  static std::string full_name(const Probe& probe) {
    return fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
  }

  // A file that a process mapped after the patterns were first matched; other processes may map it too.
  struct LaterFile {
    FileKey key;
    int64_t created_ns;
    ProcessFunctions file;
    uint32_t pid;  // the only process to probe, as in add_processes(); 0: all
  };

  // A note that states no place for a breakpoint.
  struct Misplaced {
    std::string provider, name, path;
  };

  ProcessRows rows_;
  std::vector<Misplaced> misplaced_;
  std::set<std::string> patterns_;   // for providers of all processes
  std::set<FileKey> initial_files_;  // mapped by processes when the patterns were first matched
  std::vector<LaterFile> later_;
  ProcessTypes& process_types_;
  ProcessTools tools_;
  KnownProcesses processes_;
  std::set<std::string> done_;                                         // descriptions
  std::map<std::string, DefinedProbe> definitions_;                    // by full name of the probe
  std::map<std::string, ProviderAttributes, std::less<>> attributes_;  // that definitions give, by provider
};

void UsdtProvider::add_object(ProcessFunctions& process, size_t index, const Wanted& wanted, ProbeList& list) {
  const ProcessObject& object = process.object(index);
  for (const ProcessFunctions::StaticProbe& each : process.static_probes(index)) {
    std::string name = with_dashes(each.note.name);
    if (!wanted.is_provider(each.note) || !field_matches(wanted.description.name, name)) continue;
    std::string readable_function = demangled(each.function);
    bool is_in_function = field_matches(wanted.description.function, each.function) ||
                          (!readable_function.empty() && field_matches(wanted.description.function, readable_function));
    if (!is_in_function) continue;
    if (!process.is_instruction(index, each.note.address, tools_.read_code)) {
      misplaced_.push_back({.provider = each.note.provider, .name = name, .path = object.path});
      continue;
    }
    std::string provider = each.note.provider + (wanted.pid == 0 ? "*" : std::to_string(wanted.pid));
    Probe probe{.provider = provider, .module = object.name, .function = each.function, .name = name};
    auto [known, is_new] = list.index.try_emplace(full_name(probe), list.probes.size());
    if (is_new) {
      if (each.definition != nullptr) attributes_.insert_or_assign(provider, each.definition->attributes);
      probe.readable_function = std::move(readable_function);
      probe.has_typed_args = true;
      list.probes.push_back(std::move(probe));
      if (auto* definition = definition_of(each, read_usdt_operands(native_architecture(), each.note.arguments).size()))
        definitions_.insert_or_assign(known->first, *definition);
    }
    list.probes[known->second].sites.push_back({.hook = HookUprobe{.path = process.probe_path(index),
                                                                   .offset = each.note.offset,
                                                                   .pid = wanted.pid,
                                                                   .semaphore_offset = each.note.semaphore},
                                                .raw_args = argument_sources(each)});
  }
}

void UsdtProvider::add_process(const ProviderOfProcess& provider, const ProbeDescription& description,
                               ProbeList& list) {
  ProcessFunctions* process = processes_.open(provider.pid);
  if (process != nullptr && !process->has_named(description.module)) process->add_unloaded(description.module);
  // Use the published name of the module, so that a description with another name of it counts as the same.
  if (!done_.insert(to_string(as_published(description))).second) return;
  auto is_wanted = [&](const StapsdtNote& note) { return field_matches(provider.name, note.provider); };
  for (size_t i = 0; process != nullptr && i < process->size(); ++i)
    if (ProcessFunctions::is_named(process->object(i), description.module))
      add_object(*process, i, {.description = description, .is_provider = is_wanted, .pid = provider.pid}, list);
}

// Reads each file once, through the first process that maps it and still runs. A provider that matches in all processes
// that have it gets one probe for all processes, present and future; patterns for certain digits get one per process.
// So do files that belong neither to root nor to a user who runs them: their owner may change them, and whoever maps
// such a file must not decide where other processes get breakpoints.
void UsdtProvider::add_processes(const ProbeDescription& description, ProbeList& list) {
  if (!done_.insert(to_string(description)).second) return;
  struct Mapper {
    uint32_t pid;
    ProcessFunctions* process;
    size_t index;
  };
  patterns_.insert(description.provider);
  std::map<FileKey, std::vector<Mapper>> objects;
  for (uint32_t pid : running_processes()) {
    ProcessFunctions* process = processes_.open(pid);
    for (size_t i = 0; process != nullptr && i < process->size(); ++i) {
      const ProcessObject& object = process->object(i);
      if (!field_matches(description.module, object.name)) continue;
      objects[{object.device, object.inode}].push_back({pid, process, i});
    }
  }
  for (auto& [key, mappers] : objects) {
    auto running = std::ranges::find_if(mappers, [](const Mapper& each) { return each.process->can_read(each.index); });
    if (running == mappers.end()) continue;
    initial_files_.insert(key);
    ProcessFunctions& process = *running->process;
    size_t index = running->index;
    auto is_in = [&](const StapsdtNote& note, uint32_t pid) {
      return field_matches(description.provider, note.provider + std::to_string(pid));
    };
    uid_t owner = process.owner(index).value_or(0);
    bool is_trusted = std::ranges::any_of(mappers, [&](const Mapper& each) { return trusts_owner(each.pid, owner); });
    auto is_in_all = [&](const StapsdtNote& note) {
      return rows_ == ProcessRows::OneForAll && is_trusted &&
             field_matches(description.provider, note.provider + "*") &&
             std::ranges::all_of(mappers, [&](const Mapper& each) { return is_in(note, each.pid); });
    };
    add_object(process, index, {.description = description, .is_provider = is_in_all}, list);
    for (const Mapper& each : mappers) {
      auto is_in_this = [&](const StapsdtNote& note) { return !is_in_all(note) && is_in(note, each.pid); };
      add_object(process, index, {.description = description, .is_provider = is_in_this, .pid = each.pid}, list);
    }
    process.close(index);
  }
  for (LaterFile& later : later_) {
    if (objects.contains(later.key) || !ProcessFunctions::is_named(later.file.object(0), description.module)) continue;
    std::string suffix = later.pid == 0 ? "*" : std::to_string(later.pid);
    auto is_wanted = [&](const StapsdtNote& note) {
      return field_matches(description.provider, note.provider + suffix);
    };
    add_object(later.file, 0, {.description = description, .is_provider = is_wanted, .pid = later.pid}, list);
  }
}

bool UsdtProvider::refresh_file(uint32_t pid, const std::string& path) {
  if (patterns_.empty()) return false;
  auto found = open_mapped_path(pid, path);
  if (!found || initial_files_.contains(found->key)) return false;
  auto is_it = [&](const LaterFile& later) { return later.key == found->key && later.created_ns == found->created_ns; };
  if (std::ranges::any_of(later_, is_it)) return false;
  ProcessFunctions file = ProcessFunctions::of_open_file(std::move(found->opened), path, processes_.files());
  bool is_wanted = std::ranges::any_of(file.static_probes(0), [&](const ProcessFunctions::StaticProbe& probe) {
    return std::ranges::any_of(
        patterns_, [&](const std::string& pattern) { return field_matches(pattern, probe.note.provider + "*"); });
  });
  if (!is_wanted) return false;
  bool is_trusted = !found->is_by_mapping || trusts_owner(pid, file.owner(0).value_or(0));
  later_.push_back({found->key, found->created_ns, std::move(file), is_trusted ? 0 : pid});
  done_.clear();
  return true;
}

std::vector<Probe> UsdtProvider::create_all(const ProbeDescription& description) {
  ProbeList list;
  if (auto provider = split(description.provider)) add_process(*provider, description, list);
  else if (is_of_processes(description.provider)) add_processes(description, list);
  return std::move(list.probes);
}

// A hint for a name that no probe has; empty if one has it.
std::string unknown_name_hint(const std::string& name, const std::set<std::string>& names) {
  constexpr size_t few = 24;
  if (!is_literal(name) || names.empty() || names.contains(name)) return {};
  std::string_view near = nearest_name(name, {names.begin(), names.end()});
  if (!near.empty()) return fmt::format("did you mean `{}`?", near);
  return names.size() > few ? "" : fmt::format("the names of its probes are {}", fmt::join(names, ", "));
}

std::string UsdtProvider::why_missing(const ProbeDescription& description) {
  if (description.provider == name())
    return "the provider of static probes is named by the program: `python$target:::`, with -p PID or -c COMMAND";
  auto wanted = split(description.provider);
  for (const Misplaced& each : misplaced_)
    if (field_matches(wanted ? wanted->name : description.provider, each.provider) &&
        field_matches(description.name, each.name))
      return fmt::format("{} states a place for {}:::{} that is no instruction of its functions", each.path,
                         each.provider, each.name);
  ProcessFunctions* process = wanted ? processes_.open(wanted->pid) : nullptr;
  if (process == nullptr) return {};
  std::set<std::string> providers, names;
  for (size_t i = 0; i < process->size(); ++i)
    for (const ProcessFunctions::StaticProbe& each : process->static_probes(i)) {
      providers.insert(each.note.provider);
      if (field_matches(wanted->name, each.note.provider)) names.insert(with_dashes(each.note.name));
    }
  if (std::string hint = unknown_name_hint(description.name, names); !hint.empty()) return hint;
  std::string summary = process->summary();
  if (summary.empty()) return {};
  return providers.empty() ? "no static probes: " + summary
                           : fmt::format("static probes of {}: {}", fmt::join(providers, " "), summary);
}

// The type of an argument in the program: that of the definition if it can be resolved, else an integer of its size.
TypeId native_type(const DefinedArgument& argument, TypeTable& types, const NamedTypeLookup& find) {
  if (argument.form == ArgumentForm::Float)
    return types.find(argument.size == 4 ? "float" : "double").value_or(TypeTable::error_type());
  bool is_address = argument.form == ArgumentForm::String || argument.form == ArgumentForm::Pointer;
  bool is_number = argument.form == ArgumentForm::Signed || argument.form == ArgumentForm::Unsigned;
  bool is_size = argument.size == 1 || argument.size == 2 || argument.size == 4 || argument.size == 8;
  std::string_view text = argument.form == ArgumentForm::String ? "char *" : std::string_view{argument.type_text};
  // An unknown type becomes a forward declaration; only a translator can use it.
  auto lookup = [&](const std::string& name) {
    auto known = find(name);
    return known || !is_address ? known : std::optional(types.add({.kind = TypeKind::Forward, .name = name}));
  };
  if (is_number || is_address)
    if (auto type = read_type_text(types, text, PointerSpace::User, lookup)) return *type;
  return types.integer(is_size ? argument.size : 8, argument.form == ArgumentForm::Signed);
}

// Without a definition only sizes and signs of the arguments are known.
void UsdtProvider::load_args(Probe& probe, TypeTable& types) {
  const std::vector<ArgSource>& sources = probe.sites.front().raw_args;
  auto found = definitions_.find(full_name(probe));
  // Types of the D program take precedence: its translators refer to them.
  uint32_t pid = std::get<HookUprobe>(probe.sites.front().hook).pid;
  auto find = [&](const std::string& name) {
    auto known = types.find(name);
    return known || pid == 0 ? known : process_types_.find(types, {.pid = pid, .object = probe.module}, name);
  };
  for (size_t i = 0; i < sources.size(); ++i) {
    const ArgSource& source = sources[i];
    ProbeArg& argument = probe.args.emplace_back(
        ProbeArg{.type_text = fmt::format("{}int{}_t", source.is_signed ? "" : "u", source.size * 8),
                 .type = types.integer(source.size, source.is_signed),
                 .name = {},
                 .source = source});
    if (source.kind == ArgSourceKind::Zero) {
      argument.type_text += " (in a location that tracers cannot read)";
      argument.type = TypeTable::error_type();
      continue;
    }
    // Two versions of a library in one process may have probes of the same name but with other arguments.
    if (found == definitions_.end() || found->second.view.size() != sources.size()) continue;
    const ViewedArgument& view = found->second.view[i];
    const DefinedArgument& input = found->second.input[view.input];
    argument.type_text = input.type_text;
    argument.type = native_type(input, types, find);
    bool is_other = view.type_text != input.type_text || input.form == ArgumentForm::String;
    if (is_other) argument.translated_text = view.type_text;
  }
}

}  // namespace

std::unique_ptr<Provider> make_usdt_provider(ProcessRows rows, ProcessTypes& process_types, const ProcessTools& tools) {
  return std::make_unique<UsdtProvider>(rows, process_types, tools);
}

}  // namespace dscope
