#include "driver/replay/capture_host.h"

#include <algorithm>
#include <utility>

#include "arch/architecture.h"
#include "driver/replay/recorded_threads.h"
#include "runtime/providers/interval_name.h"
#include "runtime/providers/provider.h"
#include "runtime/providers/stability.h"
#include "runtime/replay/native_machine.h"
#include "runtime/replay/replay_session.h"
#include "support/format.h"
#include "support/text/glob.h"

namespace dscope {

namespace {

constexpr uint32_t max_cpus = 8192;  // of Linux. A damaged file may say more

bool is_match(std::string_view pattern, std::string_view text) {
  return pattern.empty() || pattern == text || glob_matches(pattern, text);
}

// Other names of a system call: those of the C library, and of 32-bit programs.
bool matches_other_name(const ProbeDescription& description, const Probe& probe) {
  if (!probe.is_system_call || description.dialect.has_solaris_system_calls()) return false;
  const SystemCall* call = find_system_call(traced_architecture(), probe.function);
  return call != nullptr && std::ranges::any_of(names_of_system_call(call->number), [&](std::string_view name) {
           return is_match(description.function, name);
         });
}

bool matches(const ProbeDescription& description, const Probe& probe) {
  if (description.id) return *description.id == probe.id;
  return is_match(description.provider, probe.provider) && is_match(description.module, probe.module) &&
         is_match(description.name, probe.name) &&
         (is_match(description.function, probe.function) ||
          (!probe.readable_function.empty() && is_match(description.function, probe.readable_function)) ||
          matches_other_name(description, probe));
}

ArgSource context_word(uint32_t word) {
  if (word >= NativeMachine::max_words) return {};  // of a damaged file: reads 0
  return {.kind = ArgSourceKind::CtxSlot, .index = NativeMachine::first_word + word};
}

// Typedefs of the kernel that the D libraries name: without them, dscope would skip the libraries. Size 0: a struct.
struct KernelTypedef {
  std::string_view name;
  uint32_t size;
  bool is_signed;
};
constexpr KernelTypedef kernel_typedefs[] = {
    {"blk_status_t", 1, false}, {"dev_t", 4, false},    {"gfp_t", 4, false},      {"loff_t", 8, true},
    {"rwlock_t", 0, false},     {"sector_t", 8, false}, {"spinlock_t", 0, false}, {"umode_t", 2, false},
};

MachineFacts facts_of(const CaptureInfo& info) {
  MachineFacts facts = info.facts;
  facts.has_raw_tp_cookie = facts.has_cpu_v4 = facts.has_task_pt_regs = true;
  facts.cpu_count = std::clamp(facts.cpu_count, 1U, max_cpus);
  facts.online_cpu_count = std::clamp(facts.online_cpu_count, 1U, facts.cpu_count);
  facts.pid_namespace = facts.pid_namespace_device = 0;  // recorded IDs are those that users saw
  return facts;
}

}  // namespace

CaptureHost::CaptureHost(const CaptureInfo& info) : info_(info), types_(info), facts_(facts_of(info)) {
  for (uint32_t i = 0; i < info.types.size(); ++i)
    if (const Type& type = info.types[i]; !type.name.empty()) types_by_name_.emplace(type.name, i);
  add_fixed_probes();
  find_same_probes();
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < info.probes.size(); ++i)
    if (same_probes_[i] == i) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](uint32_t i) { return info.probes[i].id; });
  for (uint32_t index : order) add_recorded_probe(index);
}

void CaptureHost::add_fixed_probes() {
  constexpr std::pair<const char*, HookTestRun::Role> rows[] = {
      {"BEGIN", HookTestRun::Role::Begin}, {"END", HookTestRun::Role::End}, {"ERROR", HookTestRun::Role::Error}};
  for (auto [name, role] : rows) {
    Probe probe{.id = static_cast<uint32_t>(probes_.size()) + 1, .provider = "dtrace", .name = name};
    probe.hook = HookTestRun{role};
    probe.args_loaded = true;
    probes_.push_back(std::move(probe));
    captured_.push_back(-1);
  }
}

void CaptureHost::find_same_probes() {
  std::map<std::string, std::vector<uint32_t>> known;  // by the function and the name
  for (uint32_t i = 0; i < info_.probes.size(); ++i) {
    std::vector<uint32_t>& earlier = known[info_.probes[i].function + ":" + info_.probes[i].name];
    auto same = std::ranges::find_if(
        earlier, [&](uint32_t each) { return is_same_probe(info_, info_.probes[each], info_.probes[i]); });
    same_probes_.push_back(same != earlier.end() ? *same : i);
    if (same == earlier.end()) earlier.push_back(i);
  }
}

// Probes of different recordings may have the same ID.
uint32_t CaptureHost::free_id(uint32_t wanted) const {
  uint32_t last = probes_.empty() ? 0 : probes_.back().id;
  return std::max(wanted, last + 1);
}

void CaptureHost::add_recorded_probe(uint32_t index) {
  const CapturedProbe& captured = info_.probes[index];
  Probe probe{.id = free_id(captured.id),
              .provider = captured.provider,
              .module = captured.module,
              .function = captured.function,
              .name = captured.name,
              .readable_function = captured.readable_function};
  probe.hook = HookRawTracepoint{replay_hook_name(index)};
  for (uint32_t word = 0; word < std::min(captured.arg_count, NativeMachine::max_words); ++word)
    probe.raw_args.push_back(context_word(word));
  probe.has_typed_args = captured.has_typed_args;
  probe.is_system_call = captured.is_system_call;
  probe.is_process_function = captured.is_process_function;
  probes_.push_back(std::move(probe));
  captured_.push_back(index);
}

// tick-N, which follows recorded time. profile-N shows what was running: it must have been recorded.
const Probe* CaptureHost::make_tick(const ProbeDescription& description) {
  bool is_possible = is_match(description.provider, "profile") && description.module.empty() &&
                     description.function.empty() && !is_glob(description.name);
  auto interval = is_possible ? read_interval_name(description.name) : std::nullopt;
  if (!interval || !interval->is_tick || interval->period_ns < min_interval_ns) return nullptr;
  uint32_t last = std::ranges::max_element(probes_, {}, &Probe::id)->id;
  Probe probe{.id = last + 1, .provider = "profile", .name = description.name};
  probe.hook = HookTimer{interval->period_ns};
  probe.args_loaded = true;
  probes_.push_back(std::move(probe));
  captured_.push_back(-1);
  return &probes_.back();
}

std::vector<const Probe*> CaptureHost::match(const ProbeDescription& description) {
  std::vector<const Probe*> found;
  const ProbeDescription wanted = canonical(description);
  for (const Probe& probe : probes_)
    if (matches(wanted, probe)) found.push_back(&probe);
  if (!found.empty() || description.id) return found;
  if (const Probe* tick = make_tick(description)) found.push_back(tick);
  return found;
}

CaptureHost::Imported& CaptureHost::imported(TypeTable& types) {
  // No program can name it. A new table may have the address of a destroyed one.
  constexpr std::string_view mark = "types of the capture";
  Imported& known = imported_[&types];
  if (types.find(mark)) return known;
  types.define(mark, types.void_type());
  known = {.table = ++table_count_, .types = {}, .thread = {}, .kernel_types = {}};
  return known;
}

void CaptureHost::load_args(const Probe& wanted, TypeTable& types) {
  auto at = std::ranges::find(probes_, &wanted, [](const Probe& probe) { return &probe; });
  if (at == probes_.end() || captured_[static_cast<size_t>(at - probes_.begin())] < 0) return;
  if (uint64_t table = imported(types).table; std::exchange(loaded_into_[&wanted], table) == table) return;
  at->args_loaded = true;
  at->args.clear();
  const CapturedProbe& captured =
      info_.probes[static_cast<size_t>(captured_[static_cast<size_t>(at - probes_.begin())])];
  for (const CapturedValue& value : captured.args)
    at->args.push_back({.type_text = value.type_text,
                        .type = import_captured_type(info_, value.type, types, imported(types).types),
                        .name = value.name,
                        .source = context_word(value.word),
                        .translated_text = {}});
}

ProviderAttributes CaptureHost::provider_attributes(std::string_view provider) {
  if (!info_.source.empty()) return attributes_of_provider(provider);
  if (provider == "dtrace") return info_.dtrace_attributes;
  for (const CapturedProbe& probe : info_.probes)
    if (probe.provider == provider) return probe.attributes;
  return attributes_of_provider(provider);
}

std::string CaptureHost::why_missing(const ProbeDescription& description) {
  if (description.name.starts_with("profile-") && info_.source.empty())
    return fmt::format("the capture holds no samples of {0}: record them with `{0}` among the descriptions of --record",
                       description.name);
  if (!info_.source.empty())
    return fmt::format("{} has no such events: the file was recorded by `{}`", info_.source,
                       info_.descriptions.empty() ? std::string("another program") : info_.descriptions.front());
  std::string recorded;
  for (const std::string& each : info_.descriptions) recorded += (recorded.empty() ? "" : ", ") + each;
  return fmt::format("the capture holds the probes of `{}`: record others with --record=FILE -n '{}'", recorded,
                     to_string(description));
}

// The part of struct task_struct that built-in variables read, if the capture has no such type.
TypeId CaptureHost::thread_type(TypeTable& types) {
  std::optional<TypeId>& known = imported(types).thread;
  if (known) return *known;
  TypeId thread = types.add({.kind = TypeKind::Struct, .name = "struct task_struct", .size = 64});
  auto bits = [](uint32_t bytes) { return bytes * 8; };
  std::vector<TypeMember> members = {
      {.name = "tgid", .type = types.int_type(), .bit_offset = bits(0)},
      {.name = "pid", .type = types.int_type(), .bit_offset = bits(4)},
      {.name = "comm", .type = types.array_of(types.plain_char(), 16), .bit_offset = bits(8)},
      {.name = "real_parent", .type = types.pointer_to(thread), .bit_offset = bits(24)}};
  types.edit(thread).members = std::move(members);
  known = thread;
  return thread;
}

std::optional<TypeId> CaptureHost::find_type(TypeTable& types, std::string_view module, std::string_view name) {
  auto captured = types_by_name_.find(std::string(name));
  if (captured != types_by_name_.end())
    return import_captured_type(info_, {captured->second}, types, imported(types).types);
  if (auto found = find_recorded_thread_type(info_, name, types, imported(types).types)) return found;
  if (Host* kernel = types_.host())
    if (auto found = kernel->find_type(types, module, name)) return found;
  if (name == "struct task_struct") return thread_type(types);
  return kernel_type(types, name);
}

void CaptureHost::complete_type(TypeTable& types, TypeId id) {
  if (Host* kernel = types_.host()) kernel->complete_type(types, id);
}

std::optional<KernelSymbol> CaptureHost::find_symbol(TypeTable& types, std::string_view module, std::string_view name) {
  Host* kernel = types_.host();
  return kernel != nullptr ? kernel->find_symbol(types, module, name) : std::nullopt;
}

std::optional<TypeId> CaptureHost::kernel_type(TypeTable& types, std::string_view name) {
  auto row = std::ranges::find(kernel_typedefs, name, &KernelTypedef::name);
  if (row == std::end(kernel_typedefs)) return std::nullopt;
  auto [entry, is_new] = imported(types).kernel_types.try_emplace(std::string(name));
  if (is_new) {
    TypeId base = row->size != 0 ? types.integer(row->size, row->is_signed)
                                 : types.add({.kind = TypeKind::Forward, .name = fmt::format("struct {}", name)});
    entry->second = types.add({.kind = TypeKind::Typedef, .name = std::string(name), .base = base});
  }
  return entry->second;
}

std::string CaptureHost::why_no_type(std::string_view) {
  if (!info_.facts_file.empty()) return "the recorded kernel has no such type";
  if (!info_.source.empty()) return "the file holds the types of recorded arguments only";
  return "the capture holds the types of recorded arguments only: dscope --record=FILE -x record=args,strings,types "
         "keeps those of the kernel";
}

}  // namespace dscope
