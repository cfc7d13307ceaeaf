// pid provider: functions and instructions of running processes, pid123:libc.so.6:malloc:entry (providers.md 7). No
// probes are published: descriptions create them.
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "contract/process_provider.h"
#include "runtime/dwarf/process_types.h"
#include "runtime/kernel/kernel_symbol_query.h"
#include "runtime/providers/process/function_arguments.h"
#include "runtime/providers/process/function_probes.h"
#include "runtime/providers/process/known_processes.h"
#include "runtime/providers/process/line_probes.h"
#include "runtime/providers/process/same_names.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

constexpr std::string_view entry = "entry", exit = "return";
// The function whose offsets are addresses of the program.
constexpr std::string_view whole_program = "-";
// Limits of the probes of one description. The kernel accepts 2^20 in one link, but takes 0.2 s to detach a thousand
// instructions that are spread over the program, which cannot be interrupted.
constexpr size_t max_functions = 200'000, max_instructions = 50'000;

// The number in "pid123"; nothing for any other text.
std::optional<uint32_t> pid_of(std::string_view provider) {
  if (!provider.starts_with(pid_provider)) return std::nullopt;
  return parse_integer<uint32_t>(provider.substr(pid_provider.size()));
}

// True for "pid", "pid0", "pid-1", "pid99999999999": intended as a process id.
bool is_mistaken_pid(std::string_view provider) {
  if (!provider.starts_with(pid_provider)) return false;
  provider.remove_prefix(pid_provider.size());
  if (provider.starts_with('-')) provider.remove_prefix(1);
  return provider.find_first_not_of("0123456789") == std::string_view::npos;
}

// True for patterns such as "*123", which match any provider of that process.
bool names_process(std::string_view provider) {
  return !provider.empty() && provider.back() >= '0' && provider.back() <= '9';
}

// The name of an offset probe: hexadecimal digits.
std::optional<uint64_t> offset_of(std::string_view name) { return parse_integer(name, 16); }

bool is_possible_name(std::string_view name) {
  return name == entry || name == exit || name == FunctionProbes::result || !is_literal(name) ||
         offset_of(name).has_value();
}

// Any function may contain a line.
bool is_possible(const ProbeDescription& description) {
  return is_possible_name(description.name) || LineProbes::parse(description.function);
}

size_t max_probes(std::string_view name) {
  bool means_instructions = name != entry && name != exit && name != FunctionProbes::result;
  return means_instructions ? max_instructions : max_functions;
}

// "4" for "04", "1f" for "1F"; returns other names unchanged.
std::string published_name(const std::string& name) {
  auto offset = offset_of(name);
  return offset ? fmt::format("{:x}", *offset) : name;
}

class PidProvider final : public Provider {
 public:
  PidProvider(const ProcessTools& tools, ProcessTypes& types)
      : tools_(tools), types_(types), function_probes_(tools), line_probes_(tools, types) {}

  std::string_view name() const override { return pid_provider; }
  bool could_match(const ProbeDescription& description) const override {
    return is_mistaken_pid(description.provider) || !pids(description.provider).empty();
  }
  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}
  bool matches_function(const Probe& probe, std::string_view function) const override {
    return Provider::matches_function(probe, function) || function_probes_.has_other_name(probe, function) ||
           LineProbes::matches(probe, function);
  }

  // A module has more names than the one in listings; the process maps them to it.
  ProbeDescription as_published(ProbeDescription description) const override {
    if (!LineProbes::parse(description.function)) description.name = published_name(description.name);
    auto pid = pid_of(description.provider);
    return pid ? processes_.as_published(*pid, std::move(description)) : description;
  }

  std::vector<Probe> create_all(const ProbeDescription& description) override;
  std::optional<ProbeMistake> mistake(const ProbeDescription& description) override;
  std::string why_missing(const ProbeDescription& description) override {
    auto pid = pid_of(description.provider);
    ProcessFunctions* process = pid ? processes_.open(*pid) : nullptr;
    if (process == nullptr) return {};
    bool may_be_kernels =
        is_literal(description.function) && (description.module == "vmlinux" || description.module.empty());
    bool is_kernels = may_be_kernels && query_kernel_symbol(description.function).value_or(0) != 0;
    if (is_kernels)
      return fmt::format("this is a function of the kernel: fbt:vmlinux:{}:{}", description.function, description.name);
    if (std::string script = process->script_hint(); !script.empty()) return script;
    // Names of one module are checked by mistake().
    if (is_literal(description.function) && !description.function.empty()) {
      std::string_view nearest = process->nearest_function(description.module, description.function);
      if (!nearest.empty() && nearest != description.function) return fmt::format("did you mean `{}`?", nearest);
    }
    std::string missing =
        description.module.empty() ? std::string{} : process->stripped_object_hint(description.module);
    return missing.empty() ? process->summary() : missing;
  }
  void load_args(Probe& probe, TypeTable& types) override;
  void load_variables(Probe& probe, TypeTable& types) override {
    if (auto found = object_of(probe)) line_probes_.load_variables(probe, found->symbols, found->scope, types);
  }
  void add_global_variable(Probe& probe, TypeTable& types, const std::string& name) override {
    if (auto found = object_of(probe)) line_probes_.add_global(probe, found->symbols, found->scope, types, name);
  }
  std::string explain_variable(const Probe& probe, const std::string& name) override {
    auto found = object_of(probe);
    return found ? line_probes_.explain(probe, found->symbols, found->scope, name) : std::string{};
  }
  void refresh_process(uint32_t process, uint32_t pid) override {
    processes_.refresh(process, pid);
    done_.clear();
  }
  std::optional<Probe> make_placeholder(const ProbeDescription& description) override {
    auto pid = pid_of(description.provider);
    if (!pid || !is_possible(description)) return std::nullopt;
    return Probe{.provider = description.provider,
                 .module = description.module,
                 .function = description.function,
                 .name = description.name,
                 .hook = HookUprobe{.path = {}, .pid = *pid},
                 .is_process_function = description.name == "entry" || description.name == "return"};
  }

 private:
  // The object whose code a probe is on.
  struct Object {
    const ElfSymbols& symbols;
    ProcessScope scope;
  };

  std::optional<Object> object_of(const Probe& probe);
  std::vector<uint32_t> pids(std::string_view provider) const;
  ProbedObject probed_object(ProcessFunctions& process, size_t object, uint32_t pid) const;
  void add_process(uint32_t pid, const ProbeDescription& description, std::vector<Probe>& probes);
  void add_object(const ProbedObject& probed, const ProbeDescription& description, std::vector<Probe>& probes);
  static std::optional<ProbeMistake> name_mistake(const ProbeDescription& description);
  static std::optional<ProbeMistake> address_mistake(const ProbeDescription& description);
  std::optional<ProbeMistake> line_mistake(uint32_t pid, ProcessFunctions& process,
                                           const ProbeDescription& description);
  std::optional<ProbeMistake> function_mistake(uint32_t pid, ProcessFunctions& process,
                                               const ProbeDescription& description);

  ProcessTools tools_;
  ProcessTypes& types_;
  FunctionProbes function_probes_;
  LineProbes line_probes_;
  KnownProcesses processes_;
  std::set<std::string> done_, too_many_;  // descriptions
};

// The named process or, for a pattern, the matching ones among the known processes, never all that exist.
std::vector<uint32_t> PidProvider::pids(std::string_view provider) const {
  if (auto pid = pid_of(provider)) return *pid == 0 ? std::vector<uint32_t>{} : std::vector{*pid};
  bool may_name_process = !is_literal(provider) && (provider.starts_with(pid_provider[0]) || names_process(provider));
  if (provider.empty() || !may_name_process) return {};
  std::vector<uint32_t> found = processes_.pids();
  found.insert(found.end(), tools_.targets.begin(), tools_.targets.end());
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::erase_if(found, [&](uint32_t pid) { return !field_matches(provider, fmt::format("{}{}", pid_provider, pid)); });
  return found;
}

ProbedObject PidProvider::probed_object(ProcessFunctions& process, size_t object, uint32_t pid) const {
  return {.process = process,
          .object = object,
          .pid = pid,
          .provider = fmt::format("{}{}", pid_provider, pid),
          .module = process.object(object).name};
}

void PidProvider::add_object(const ProbedObject& probed, const ProbeDescription& description,
                             std::vector<Probe>& probes) {
  std::vector<ElfSymbols::Function> functions = function_probes_.find(probed, description.function);
  // Later objects let the vector grow by itself: to reserve for each one would move all probes each time.
  if (probes.empty()) probes.reserve(std::min(functions.size(), max_probes(description.name)));
  for (const ElfSymbols::Function& function : functions) {
    function_probes_.add(probed, function, description.name, probes);
    if (probes.size() > max_probes(description.name)) return;
  }
}

void PidProvider::add_process(uint32_t pid, const ProbeDescription& description, std::vector<Probe>& probes) {
  ProcessFunctions* process = processes_.open(pid);
  for (size_t i = 0; process != nullptr && i < process->size(); ++i) {
    if (!ProcessFunctions::is_named(process->object(i), description.module)) continue;
    if (LineProbes::parse(description.function))
      line_probes_.add(probed_object(*process, i, pid), {.pid = pid, .object = process->object(i).name},
                       description.function, description.name, probes);
    if (description.function != whole_program) {
      add_object(probed_object(*process, i, pid), description, probes);
    } else if (auto address = offset_of(description.name); address && process->object(i).is_program) {
      if (auto probe = function_probes_.at_address(probed_object(*process, i, pid), *address)) probes.push_back(*probe);
    }
  }
}

std::vector<Probe> PidProvider::create_all(const ProbeDescription& description) {
  std::vector<Probe> probes;
  if (!is_possible(description)) return probes;
  bool is_complete = true;
  for (uint32_t pid : pids(description.provider)) {
    ProcessFunctions* process = processes_.open(pid);
    if (process == nullptr) continue;
    if (!process->has_named(description.module)) process->add_unloaded(description.module);
    // Use the published name of the module, so that a description with another name of it counts as the same.
    ProbeDescription one = processes_.as_published(pid, description);
    one.provider = fmt::format("{}{}", pid_provider, pid);
    if (!done_.insert(to_string(one)).second) continue;
    std::vector<Probe> own;
    add_process(pid, one, own);
    // add_object() stops beyond the limit: the probes that merging leaves are not all there are.
    is_complete = is_complete && own.size() <= max_probes(description.name);
    merge_same_names(own);
    if (probes.empty()) probes = std::move(own);
    else std::ranges::move(own, std::back_inserter(probes));
  }
  if (is_complete && probes.size() <= max_probes(description.name)) return probes;
  too_many_.insert(to_string(as_published(description)));
  return {};
}

std::optional<PidProvider::Object> PidProvider::object_of(const Probe& probe) {
  auto pid = pid_of(probe.provider);
  ProcessFunctions* process = pid ? processes_.open(*pid) : nullptr;
  for (size_t i = 0; process != nullptr && i < process->size(); ++i)
    if (process->object(i).name == probe.module)
      return Object{.symbols = process->symbols(i), .scope = {.pid = *pid, .object = probe.module}};
  return std::nullopt;
}

void PidProvider::load_args(Probe& probe, TypeTable& types) {
  if (auto found = object_of(probe)) load_function_arguments(probe, found->symbols, found->scope, types_, types);
}

// ---------------------------------------------------------------- mistakes

std::optional<ProbeMistake> PidProvider::mistake(const ProbeDescription& description) {
  bool is_pattern = !description.provider.empty() && !is_literal(description.provider);
  if (is_pattern) return std::nullopt;
  if (auto mistake = name_mistake(description)) return mistake;
  if (too_many_.contains(to_string(as_published(description))))
    return ProbeMistake{Tag::D_PROC_CREATEFAIL,
                        fmt::format("it matches more than {} probes", max_probes(description.name))};
  auto pid = pid_of(description.provider);
  ProcessFunctions* process = processes_.open(*pid);
  if (process == nullptr) return open_mistake(*pid);
  if (description.function == whole_program) return address_mistake(description);
  if (LineProbes::parse(description.function)) return line_mistake(*pid, *process, description);
  return function_mistake(*pid, *process, description);
}

// Mistakes that do not depend on the process.
std::optional<ProbeMistake> PidProvider::name_mistake(const ProbeDescription& description) {
  if (pid_of(description.provider).value_or(0) == 0)
    return ProbeMistake{Tag::D_PROC_BADPID,
                        fmt::format("{}: there is no such process id{}", description.provider,
                                    description.provider == "pid0" ? ", as $target is without -c and -p" : "")};
  if (LineProbes::parse(description.function)) return std::nullopt;
  bool is_address = description.function == whole_program;
  if (is_address && !description.module.empty() && description.module != "a.out")
    return ProbeMistake{Tag::D_PROC_LIB,
                        fmt::format("function - stands for the whole program: its module is a.out or empty, not {}",
                                    description.module)};
  if (is_address && !offset_of(description.name))
    return ProbeMistake{Tag::D_PROC_NAME,
                        fmt::format("the name of a probe of function - is a hexadecimal address, not {}",
                                    description.name.empty() ? "an empty name" : description.name)};
  if (is_possible_name(description.name)) return std::nullopt;
  return ProbeMistake{Tag::D_PROC_NAME,
                      fmt::format("the name of a pid probe is entry, return, or the hexadecimal offset of "
                                  "an instruction, not {}",
                                  description.name)};
}

std::optional<ProbeMistake> PidProvider::address_mistake(const ProbeDescription& description) {
  return ProbeMistake{Tag::D_PROC_OFF,
                      fmt::format("no instruction of the program begins at address 0x{}", description.name)};
}

std::optional<ProbeMistake> PidProvider::line_mistake(uint32_t pid, ProcessFunctions& process,
                                                      const ProbeDescription& description) {
  for (size_t i = 0; is_literal(description.module) && i < process.size(); ++i)
    if (ProcessFunctions::is_named(process.object(i), description.module))
      return line_probes_.mistake({.pid = pid, .object = process.object(i).name}, description.function,
                                  description.name);
  return std::nullopt;
}

std::optional<ProbeMistake> PidProvider::function_mistake(uint32_t pid, ProcessFunctions& process,
                                                          const ProbeDescription& description) {
  if (!is_literal(description.function)) return std::nullopt;
  std::optional<uint64_t> offset = offset_of(description.name);
  bool has_object = false;
  for (size_t i = 0; i < process.size(); ++i) {
    if (!ProcessFunctions::is_named(process.object(i), description.module)) continue;
    has_object = true;
    if (::geteuid() != 0 && !process.can_read(i))
      return ProbeMistake{
          Tag::D_PROC_GRAB,
          fmt::format("not permitted: the file of {} in process {} is not readable", description.module, pid),
          "run dscope as root or with CAP_SYS_PTRACE"};
    for (const ElfSymbols::Function& function : process.functions(i)) {
      if (function.name != description.function) continue;
      if (auto mistake = FunctionProbes::unresolved_ifunc_mistake(function)) return mistake;
      if (!offset) return FunctionProbes::no_return_mistake(function.name, description.name);
      if (*offset >= function.size)
        return ProbeMistake{Tag::D_PROC_OFF, fmt::format("offset 0x{:x} is beyond function {}, which has 0x{:x} bytes",
                                                         *offset, function.name, function.size)};
      return ProbeMistake{
          Tag::D_PROC_ALIGN,
          fmt::format("offset 0x{:x} of function {} is in the middle of an instruction", *offset, function.name)};
    }
  }
  if (!has_object || !is_literal(description.module)) return std::nullopt;
  return ProbeMistake{
      Tag::D_PROC_FUNC,
      fmt::format("there is no function {} in {} of process {}{}", description.function, description.module, pid,
                  process.missing_function_hint(description.module, description.function))};
}

}  // namespace

std::unique_ptr<Provider> make_pid_provider(const ProcessTools& tools, ProcessTypes& types) {
  return std::make_unique<PidProvider>(tools, types);
}

}  // namespace dscope
