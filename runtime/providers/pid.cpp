// pid provider: functions and instructions of running processes, pid123:libc.so.6:malloc:entry (providers.md 7).
// Nothing is published: a description makes the probes it names.
#include <algorithm>
#include <set>

#include "runtime/dwarf/process_types.h"
#include "runtime/providers/function_arguments.h"
#include "runtime/providers/function_probes.h"
#include "runtime/providers/process_functions.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/whole_number.h"

namespace dscope {
namespace {

constexpr std::string_view prefix = "pid", entry = "entry", exit = "return";
// The function whose offsets are addresses of the program.
constexpr std::string_view whole_program = "-";
// What a description may make; the kernel takes 2^20 in one link.
constexpr size_t most_probes = 200'000;

// The number in "pid123"; nothing if it is spelled otherwise.
std::optional<uint32_t> pid_of(std::string_view provider) {
  if (!provider.starts_with(prefix)) return std::nullopt;
  return whole_number<uint32_t>(provider.substr(prefix.size()));
}

// "pid", "pid0", "pid99999999999": meant as the number of a process.
bool is_mistaken_pid(std::string_view provider) {
  return provider.starts_with(prefix) &&
         provider.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
}

// The name of an offset probe: hexadecimal digits.
std::optional<uint64_t> offset_of(std::string_view name) { return whole_number(name, 16); }

bool is_possible_name(std::string_view name) {
  return name == entry || name == exit || !is_literal(name) || offset_of(name).has_value();
}

// "4" for "04", "1f" for "1F"; other names as they are.
std::string published_name(const std::string& name) {
  auto offset = offset_of(name);
  return offset ? fmt::format("{:x}", *offset) : name;
}

class PidProvider final : public Provider {
 public:
  PidProvider(const ProcessTools& tools, ProcessTypes& types) : tools_(tools), types_(types), function_probes_(tools) {}

  std::string_view name() const override { return prefix; }
  bool could_match(const ProbeDescription& description) const override {
    return is_mistaken_pid(description.provider) || !pids(description.provider).empty();
  }
  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}

  // Modules have more names than the one that probes are listed with; which, a process has to say.
  ProbeDescription as_published(ProbeDescription description) const override {
    description.name = published_name(description.name);
    auto pid = pid_of(description.provider);
    return pid ? processes_.as_published(*pid, std::move(description)) : description;
  }

  std::vector<Probe> create_all(const ProbeDescription& description) override;
  std::optional<ProbeMistake> mistake(const ProbeDescription& description) override;
  void load_args(Probe& probe, TypeTable& types) override;
  void renew(uint32_t process, uint32_t pid) override {
    processes_.renew(process, pid);
    done_.clear();
  }
  std::optional<Probe> expected(const ProbeDescription& description) override {
    auto pid = pid_of(description.provider);
    if (!pid || !is_possible_name(description.name)) return std::nullopt;
    return Probe{.provider = description.provider,
                 .module = description.module,
                 .function = description.function,
                 .name = description.name,
                 .hook = HookUprobe{.path = {}, .pid = *pid}};
  }

 private:
  std::vector<uint32_t> pids(std::string_view provider) const;
  FunctionPlace place(ProcessFunctions& process, size_t object, uint32_t pid) const;
  void add_process(uint32_t pid, const ProbeDescription& description, std::vector<Probe>& probes);
  void add_object(const FunctionPlace& place, const ProbeDescription& description, std::vector<Probe>& probes);
  std::optional<ProcessTypes::Function> described(uint32_t pid, const Probe& probe, uint64_t address, TypeTable& types);
  static std::optional<ProbeMistake> name_mistake(const ProbeDescription& description);
  static std::optional<ProbeMistake> address_mistake(const ProbeDescription& description);
  std::optional<ProbeMistake> function_mistake(uint32_t pid, ProcessFunctions& process,
                                               const ProbeDescription& description);

  ProcessTools tools_;
  ProcessTypes& types_;
  FunctionProbes function_probes_;
  KnownProcesses processes_;
  std::set<std::string> done_, too_many_;  // descriptions
};

// The process that is named, or with a pattern those that we know of: never all that there are.
std::vector<uint32_t> PidProvider::pids(std::string_view provider) const {
  if (auto pid = pid_of(provider)) return *pid == 0 ? std::vector<uint32_t>{} : std::vector{*pid};
  if (provider.empty() || is_literal(provider) || provider[0] != prefix[0]) return {};
  std::vector<uint32_t> found = processes_.pids();
  found.insert(found.end(), tools_.targets.begin(), tools_.targets.end());
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::erase_if(found, [&](uint32_t pid) { return !field_matches(provider, fmt::format("{}{}", prefix, pid)); });
  return found;
}

FunctionPlace PidProvider::place(ProcessFunctions& process, size_t object, uint32_t pid) const {
  return {.process = process,
          .object = object,
          .pid = pid,
          .provider = fmt::format("{}{}", prefix, pid),
          .module = process.object(object).name};
}

void PidProvider::add_object(const FunctionPlace& place, const ProbeDescription& description,
                             std::vector<Probe>& probes) {
  bool is_pattern = !is_literal(description.function);
  uint64_t last = UINT64_MAX;
  for (const ElfSymbols::Function& function : place.process.functions(place.object)) {
    // Of several names of one function a pattern finds the best.
    if (is_pattern && function.offset == last) continue;
    if (!field_matches(description.function, function.name)) {
      std::string readable = function_probes_.readable(function.name);
      if (readable.empty() || !field_matches(description.function, readable)) continue;
    }
    last = function.offset;
    function_probes_.add(place, place.process.implementation(place.object, function), description.name, probes);
    if (probes.size() > most_probes) return;
  }
}

void PidProvider::add_process(uint32_t pid, const ProbeDescription& description, std::vector<Probe>& probes) {
  ProcessFunctions* process = processes_.open(pid);
  for (size_t i = 0; process != nullptr && i < process->size(); ++i) {
    if (!ProcessFunctions::is_named(process->object(i), description.module)) continue;
    if (description.function != whole_program) {
      add_object(place(*process, i, pid), description, probes);
    } else if (auto address = offset_of(description.name); address && process->object(i).is_program) {
      if (auto probe = function_probes_.at_address(place(*process, i, pid), *address)) probes.push_back(*probe);
    }
  }
}

std::vector<Probe> PidProvider::create_all(const ProbeDescription& description) {
  std::vector<Probe> probes;
  if (!is_possible_name(description.name)) return probes;
  for (uint32_t pid : pids(description.provider)) {
    ProcessFunctions* process = processes_.open(pid);
    if (process == nullptr) continue;
    if (!process->has_named(description.module)) process->add_unloaded(description.module);
    // By then the module has its published name, however it was written: asked again, it is the same description.
    ProbeDescription one = processes_.as_published(pid, description);
    one.provider = fmt::format("{}{}", prefix, pid);
    if (done_.insert(to_string(one)).second) add_process(pid, one, probes);
  }
  if (probes.size() <= most_probes) return probes;
  too_many_.insert(to_string(as_published(description)));
  return {};
}

// As the debug information of the object says, if there is any. What probes of instructions are passed is not known.
void PidProvider::load_args(Probe& probe, TypeTable& types) {
  auto pid = pid_of(probe.provider);
  if (!pid || (probe.name != entry && probe.name != exit)) return;
  ProcessFunctions* process = processes_.open(*pid);
  for (size_t i = 0; process != nullptr && i < process->size(); ++i) {
    if (process->object(i).name != probe.module || process->symbols(i).is_32bit()) continue;
    // What a compiler made of a function for some of its callers takes other arguments than are written.
    auto address =
        probe.function.find('.') == std::string::npos ? process->symbols(i).find_name(probe.function) : std::nullopt;
    auto function = address ? described(*pid, probe, *address, types) : std::nullopt;
    if (!function) return;
    probe.args = probe.name == entry ? entry_arguments(types, *function) : return_arguments(types, *function, probe);
    return;
  }
}

// Under the name of its symbol or, as functions of one file of C++ have it, under the one in the source.
std::optional<ProcessTypes::Function> PidProvider::described(uint32_t pid, const Probe& probe, uint64_t address,
                                                             TypeTable& types) {
  ProcessScope scope{pid, probe.module};
  auto found = types_.find_function(types, scope, probe.function, address);
  if (found || probe.readable_function.empty()) return found;
  std::string_view name = probe.readable_function;
  name = name.substr(0, name.find('<'));
  if (size_t colon = name.rfind(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
  return types_.find_function(types, scope, name, address);
}

// ---------------------------------------------------------------- mistakes

std::optional<ProbeMistake> PidProvider::mistake(const ProbeDescription& description) {
  bool is_pattern = !description.provider.empty() && !is_literal(description.provider);
  if (is_pattern) return std::nullopt;
  if (auto mistake = name_mistake(description)) return mistake;
  if (too_many_.contains(to_string(as_published(description))))
    return ProbeMistake{Tag::D_PROC_CREATEFAIL,
                        fmt::format("{} is more than {} probes", to_string(description), most_probes)};
  auto pid = pid_of(description.provider);
  ProcessFunctions* process = processes_.open(*pid);
  if (process == nullptr)
    return ProbeMistake{Tag::D_PROC_GRAB, fmt::format("process {} cannot be looked at: it is gone", *pid)};
  if (description.function == whole_program) return address_mistake(description);
  return function_mistake(*pid, *process, description);
}

// What is wrong however the process looks.
std::optional<ProbeMistake> PidProvider::name_mistake(const ProbeDescription& description) {
  if (pid_of(description.provider).value_or(0) == 0)
    return ProbeMistake{Tag::D_PROC_BADPID, fmt::format("{}: there is no such process id", description.provider)};
  bool is_address = description.function == whole_program;
  if (is_address && !description.module.empty() && description.module != "a.out")
    return ProbeMistake{Tag::D_PROC_LIB,
                        fmt::format("function - stands for the whole program: its module is a.out or empty, not {}",
                                    description.module)};
  if (is_address && !offset_of(description.name))
    return ProbeMistake{Tag::D_PROC_NAME,
                        fmt::format("a probe of function - is called by an address in hexadecimal, not {}",
                                    description.name.empty() ? "by an empty name" : description.name)};
  if (is_possible_name(description.name)) return std::nullopt;
  return ProbeMistake{Tag::D_PROC_NAME, fmt::format("a probe of a process is called entry, return, or by the offset of "
                                                    "an instruction in hexadecimal, not {}",
                                                    description.name)};
}

std::optional<ProbeMistake> PidProvider::address_mistake(const ProbeDescription& description) {
  return ProbeMistake{Tag::D_PROC_OFF,
                      fmt::format("no instruction of the program begins at address 0x{}", description.name)};
}

std::optional<ProbeMistake> PidProvider::function_mistake(uint32_t pid, ProcessFunctions& process,
                                                          const ProbeDescription& description) {
  if (!is_literal(description.function)) return std::nullopt;
  std::optional<uint64_t> offset = offset_of(description.name);
  bool has_object = false;
  for (size_t i = 0; i < process.size(); ++i) {
    if (!ProcessFunctions::is_named(process.object(i), description.module)) continue;
    has_object = true;
    for (const ElfSymbols::Function& function : process.functions(i)) {
      if (function.name != description.function || !offset) continue;
      if (*offset >= function.size)
        return ProbeMistake{Tag::D_PROC_OFF, fmt::format("offset 0x{:x} is beyond function {}, which has 0x{:x} bytes",
                                                         *offset, function.name, function.size)};
      return ProbeMistake{
          Tag::D_PROC_ALIGN,
          fmt::format("offset 0x{:x} of function {} is in the middle of an instruction", *offset, function.name)};
    }
  }
  if (!has_object || !is_literal(description.module)) return std::nullopt;
  return ProbeMistake{Tag::D_PROC_FUNC, fmt::format("there is no function {} in {} of process {}", description.function,
                                                    description.module, pid)};
}

}  // namespace

std::unique_ptr<Provider> make_pid_provider(const ProcessTools& tools, ProcessTypes& types) {
  return std::make_unique<PidProvider>(tools, types);
}

}  // namespace dscope
