// pid provider: functions and instructions of running processes, pid123:libc.so.6:malloc:entry (providers.md 7).
// Nothing is published: a description makes the probes it names.
#include <algorithm>
#include <charconv>
#include <set>

#include "runtime/providers/process_functions.h"
#include "runtime/providers/provider.h"
#include "support/format.h"

namespace dscope {
namespace {

constexpr std::string_view prefix = "pid", entry = "entry", exit = "return";
// Of struct pt_regs: the arguments of a function of x86-64, what it returns.
constexpr int64_t argument_registers[] = {112, 104, 96, 88, 72, 64};  // di si dx cx r8 r9
constexpr int64_t result_register = 80;                               // ax
constexpr int arguments = 10;
// What a description may make; the kernel takes 2^20 in one link.
constexpr size_t most_probes = 200'000;

// The number in "pid123"; nothing if it is spelled otherwise.
std::optional<uint32_t> pid_of(std::string_view provider) {
  if (!provider.starts_with(prefix)) return std::nullopt;
  uint32_t pid = 0;
  const char* end = provider.data() + provider.size();
  auto parsed = std::from_chars(provider.data() + prefix.size(), end, pid);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return pid;
}

// The name of an offset probe: hexadecimal digits.
std::optional<uint64_t> offset_of(std::string_view name) {
  uint64_t offset = 0;
  auto parsed = std::from_chars(name.data(), name.data() + name.size(), offset, 16);
  if (name.empty() || parsed.ec != std::errc{} || parsed.ptr != name.data() + name.size()) return std::nullopt;
  return offset;
}

class PidProvider final : public Provider {
 public:
  explicit PidProvider(FindInstructions find_instructions) : find_instructions_(find_instructions) {}

  std::string_view name() const override { return prefix; }
  bool could_match(const ProbeDescription& description) const override {
    return pid_of(description.provider).has_value() || mistaken_pid(description.provider);
  }
  size_t count() override { return 0; }
  ProbeName probe_name(size_t) override { return {}; }
  void describe(size_t, Probe&) override {}

  // Modules have more names than the one that probes are listed with.
  ProbeDescription as_published(ProbeDescription description) const override {
    auto pid = pid_of(description.provider);
    return pid ? processes_.as_published(*pid, std::move(description)) : description;
  }

  std::vector<Probe> create_all(const ProbeDescription& description) override;
  std::optional<ProbeMistake> mistake(const ProbeDescription& description) override;

 private:
  static bool mistaken_pid(std::string_view provider) {
    return provider.starts_with(prefix) && provider.size() > prefix.size() &&
           provider.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
  }

  struct Place {
    ProcessFunctions* process;
    size_t object;
    uint32_t pid;
  };
  void add_object(const Place& place, const ProbeDescription& description, std::vector<Probe>& probes);
  void add_function(const Place& place, const ElfSymbols::Function& function, std::string_view name,
                    std::vector<Probe>& probes);
  void add_offsets(const Place& place, const ElfSymbols::Function& function, std::string_view name,
                   std::vector<Probe>& probes);
  std::vector<uint32_t> instructions(const Place& place, const ElfSymbols::Function& function) const;
  static Probe make_probe(const Place& place, const ElfSymbols::Function& function, std::string name, uint64_t offset);

  FindInstructions find_instructions_;
  KnownProcesses processes_;
  std::set<std::string> done_, too_many_;  // descriptions
};

Probe PidProvider::make_probe(const Place& place, const ElfSymbols::Function& function, std::string name,
                              uint64_t offset) {
  const ProcessObject& object = place.process->object(place.object);
  return {.provider = fmt::format("{}{}", prefix, place.pid),
          .module = object.name,
          .function = std::string{function.name},
          .name = std::move(name),
          .hook = HookUprobe{.path = object.file, .offset = offset, .pid = place.pid}};
}

void PidProvider::add_function(const Place& place, const ElfSymbols::Function& function, std::string_view name,
                               std::vector<Probe>& probes) {
  if (field_matches(name, entry)) {
    // The kernel emulates what commonly stands first in a function, but not the mark of a jump target.
    constexpr uint8_t mark[] = {0xf3, 0x0f, 0x1e, 0xfa};  // endbr64
    std::vector<uint8_t> first = place.process->read(place.object, function.offset, sizeof mark);
    bool is_marked = std::equal(first.begin(), first.end(), std::begin(mark), std::end(mark));
    Probe probe = make_probe(place, function, std::string{entry}, function.offset + (is_marked ? sizeof mark : 0));
    for (int i = 0; i < arguments; ++i) {
      constexpr int in_registers = std::size(argument_registers);
      if (i < in_registers)
        probe.raw_args.push_back({.kind = ArgSourceKind::Register, .offset = argument_registers[i]});
      else probe.raw_args.push_back({.kind = ArgSourceKind::StackWord, .offset = 8 * (i - in_registers + 1)});
    }
    probes.push_back(std::move(probe));
  }
  if (field_matches(name, exit)) {
    Probe probe = make_probe(place, function, std::string{exit}, function.offset);
    std::get<HookUprobe>(probe.hook).is_return = true;
    // Where it returned from is not known.
    probe.raw_args = {{.kind = ArgSourceKind::Constant, .offset = -1},
                      {.kind = ArgSourceKind::Register, .offset = result_register, .is_signed = true}};
    probes.push_back(std::move(probe));
  }
  if (name != entry && name != exit) add_offsets(place, function, name, probes);
}

std::vector<uint32_t> PidProvider::instructions(const Place& place, const ElfSymbols::Function& function) const {
  constexpr size_t longest_function = size_t{1} << 20;
  if (find_instructions_ == nullptr || function.size > longest_function) return {};
  return find_instructions_(place.process->read(place.object, function.offset, function.size));
}

void PidProvider::add_offsets(const Place& place, const ElfSymbols::Function& function, std::string_view name,
                              std::vector<Probe>& probes) {
  for (uint32_t offset : instructions(place, function)) {
    std::string text = fmt::format("{:x}", offset);
    if (field_matches(name, text)) probes.push_back(make_probe(place, function, text, function.offset + offset));
  }
}

void PidProvider::add_object(const Place& place, const ProbeDescription& description, std::vector<Probe>& probes) {
  bool is_pattern = !is_literal(description.function);
  uint64_t last = UINT64_MAX;
  for (const ElfSymbols::Function& function : place.process->functions(place.object)) {
    // Of several names of one function a pattern finds the best.
    if (!field_matches(description.function, function.name) || (is_pattern && function.offset == last)) continue;
    last = function.offset;
    add_function(place, function, description.name, probes);
    if (probes.size() > most_probes) return;
  }
}

std::vector<Probe> PidProvider::create_all(const ProbeDescription& description) {
  std::vector<Probe> probes;
  auto pid = pid_of(description.provider);
  if (!pid || *pid == 0) return probes;
  ProcessFunctions* functions = processes_.open(*pid);
  // By then the module has its published name, however it was written: asked again, it is the same description.
  std::string text = to_string(as_published(description));
  if (!done_.insert(text).second) return probes;
  for (size_t i = 0; functions != nullptr && i < functions->size(); ++i)
    if (ProcessFunctions::is_named(functions->object(i), description.module))
      add_object({.process = functions, .object = i, .pid = *pid}, description, probes);
  if (probes.size() <= most_probes) return probes;
  too_many_.insert(std::move(text));
  return {};
}

std::optional<ProbeMistake> PidProvider::mistake(const ProbeDescription& description) {
  auto pid = pid_of(description.provider);
  if (!pid || *pid == 0)
    return ProbeMistake{Tag::D_PROC_BADPID, fmt::format("{}: there is no such process id", description.provider)};
  ProcessFunctions* functions = processes_.open(*pid);
  if (functions == nullptr)
    return ProbeMistake{Tag::D_PROC_GRAB, fmt::format("process {} cannot be looked at: it is gone", *pid)};
  if (too_many_.contains(to_string(as_published(description))))
    return ProbeMistake{Tag::D_PROC_CREATEFAIL,
                        fmt::format("{} is more than {} probes", to_string(description), most_probes)};
  bool is_known_name = description.name == entry || description.name == exit || !is_literal(description.name);
  std::optional<uint64_t> offset = offset_of(description.name);
  if (!is_known_name && !offset)
    return ProbeMistake{Tag::D_PROC_NAME,
                        fmt::format("a probe of a process is called entry, return, or by the offset of "
                                    "an instruction in hexadecimal, not {}",
                                    description.name)};
  if (!is_literal(description.function)) return std::nullopt;
  bool has_object = false;
  for (size_t i = 0; i < functions->size(); ++i) {
    if (!ProcessFunctions::is_named(functions->object(i), description.module)) continue;
    has_object = true;
    for (const ElfSymbols::Function& function : functions->functions(i)) {
      if (function.name != description.function || is_known_name || !offset) continue;
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
                                                    description.module, *pid)};
}

}  // namespace

std::unique_ptr<Provider> make_pid_provider(FindInstructions find_instructions) {
  return std::make_unique<PidProvider>(find_instructions);
}

}  // namespace dscope
