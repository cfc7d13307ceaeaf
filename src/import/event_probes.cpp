#include "import/event_probes.h"

#include <algorithm>
#include <cstring>

#include "contract/types/type_text.h"
#include "import/derived_probes.h"

namespace dscope {

namespace {

constexpr uint32_t no_probe = UINT32_MAX;
constexpr std::string_view enter_prefix = "sys_enter_", exit_prefix = "sys_exit_";
constexpr uint64_t max_error = 4095;  // results from -4095 are errors

ImportedArgument argument_of(const ImportedField& field) {
  return {.name = field.name,
          .type_text = field.type_text,
          .kind = field.kind,
          .size = field.size,
          .is_signed = field.is_signed};
}

ImportedProbe call_probe(std::string_view call, bool is_return) {
  ImportedProbe probe{.provider = "syscall",
                      .module = "vmlinux",
                      .function = std::string(call),
                      .name = is_return ? "return" : "entry",
                      .is_system_call = true,
                      .arguments = {}};
  // arg0 and arg1 are the result.
  if (is_return) probe.arguments.assign(2, {.name = "", .type_text = "long", .size = 8, .is_signed = true});
  return probe;
}

// The arguments from the table of the processor: "unsigned int fd, const char *buf".
void add_parameters(std::string_view text, ImportedProbe& probe) {
  while (!text.empty()) {
    std::string_view parameter = text.substr(0, text.find(", "));
    text.remove_prefix(std::min(parameter.size() + 2, text.size()));
    DeclarationText declaration = split_declaration(parameter);
    probe.arguments.push_back(
        {.name = declaration.name, .type_text = declaration.type, .size = 8, .is_in_process = true});
  }
}

int32_t error_of(uint64_t result) { return -result <= max_error ? static_cast<int32_t>(-result) : 0; }

}  // namespace

EventProbes::EventProbes(std::span<const ImportedEventType> types, const Architecture& architecture,
                         ThreadTable& threads, ImportTarget& target)
    : architecture_(architecture), target_(target) {
  for (const ImportedEventType& type : types) {
    has_raw_entry_ = has_raw_entry_ || (type.group == "raw_syscalls" && type.name == "sys_enter");
    has_raw_return_ = has_raw_return_ || (type.group == "raw_syscalls" && type.name == "sys_exit");
  }
  for (const ImportedEventType& type : types) {
    add_event(type);
    for (EventDerivation& derived : derived_probes(type, types, threads))
      events_.back().rules.push_back({target_.add_probe(derived.probe), std::move(derived.derive)});
  }
}

EventProbes::~EventProbes() = default;

void EventProbes::add_event(const ImportedEventType& type) {
  Event& event = events_.emplace_back();
  if (!add_all_system_calls(type, event) && !add_system_call(type, event)) add_plain(type, event);
}

void EventProbes::add_plain(const ImportedEventType& type, Event& event) {
  ImportedProbe probe{.provider = "sdt", .module = type.group, .function = {}, .name = type.name, .arguments = {}};
  for (const ImportedField& field : type.fields) probe.arguments.push_back(argument_of(field));
  event.rules.push_back(
      {target_.add_probe(probe), [](auto fields, ImportedFiring&, std::vector<ImportedValue>& values) {
         values.assign(fields.begin(), fields.end());
         return true;
       }});
}

// syscalls:sys_enter_openat, whose first field is the number of the call. If the file has all calls as raw_syscalls,
// this event would fire the same probe a second time.
bool EventProbes::add_system_call(const ImportedEventType& type, Event& event) {
  bool is_return = type.name.starts_with(exit_prefix);
  bool is_call = type.group == "syscalls" && (is_return || type.name.starts_with(enter_prefix));
  if (!is_call || (is_return ? has_raw_return_ : has_raw_entry_)) return false;
  ImportedProbe probe = call_probe(type.name.substr(is_return ? exit_prefix.size() : enter_prefix.size()), is_return);
  if (is_return) {
    size_t result = type.fields.size() - 1;
    if (type.fields.empty()) return false;
    event.rules.push_back(
        {target_.add_probe(probe), [result](auto fields, ImportedFiring& firing, std::vector<ImportedValue>& values) {
           values.assign(2, fields[result]);
           firing.error = error_of(fields[result].number);
           return true;
         }});
    return true;
  }
  for (size_t i = 1; i < type.fields.size(); ++i) {
    probe.arguments.push_back(argument_of(type.fields[i]));
    probe.arguments.back().is_in_process = type.fields[i].kind == ImportedKind::Number;
  }
  event.rules.push_back(
      {target_.add_probe(probe), [](auto fields, ImportedFiring&, std::vector<ImportedValue>& values) {
         values.assign(fields.begin() + (fields.empty() ? 0 : 1), fields.end());
         return true;
       }});
  return true;
}

// raw_syscalls:sys_enter and sys_exit: the event has the number of the call, and the array of arguments or the result.
bool EventProbes::add_all_system_calls(const ImportedEventType& type, Event& event) {
  bool is_return = type.name == "sys_exit";
  if (type.group != "raw_syscalls" || (!is_return && type.name != "sys_enter") || type.fields.size() != 2) return false;
  event.calls = std::make_unique<CallTable>();
  event.calls->is_return = is_return;
  for (const SystemCall& call : architecture_.system_calls) {
    if (call.number >= HookSyscall::first_compat_number) continue;
    ImportedProbe probe = call_probe(call.name, is_return);
    if (!is_return) add_parameters(call.parameters, probe);
    if (call.number >= event.calls->probe_of_number.size()) {
      event.calls->probe_of_number.resize(call.number + 1, no_probe);
      event.calls->argument_counts.resize(call.number + 1);
    }
    event.calls->probe_of_number[call.number] = target_.add_probe(probe);
    event.calls->argument_counts[call.number] = static_cast<uint32_t>(probe.arguments.size());
  }
  return true;
}

void EventProbes::fire_call(const CallTable& calls, const ImportedFiring& firing,
                            std::span<const ImportedValue> values) {
  if (values.size() != 2) return;
  uint64_t number = values[0].number;
  if (number >= calls.probe_of_number.size() || calls.probe_of_number[number] == no_probe) return;
  ImportedFiring own = firing;
  if (calls.is_return) {
    values_.assign(2, values[1]);
    own.error = error_of(values[1].number);
  } else {
    values_.assign(calls.argument_counts[number], {});
    std::string_view words = values[1].bytes;
    for (size_t i = 0; i < values_.size() && (i + 1) * sizeof(uint64_t) <= words.size(); ++i)
      std::memcpy(&values_[i].number, words.data() + i * sizeof(uint64_t), sizeof(uint64_t));
  }
  target_.add(calls.probe_of_number[number], own, values_);
}

void EventProbes::fire(size_t event, const ImportedFiring& firing, std::span<const ImportedValue> values) {
  if (event >= events_.size()) return;
  if (events_[event].calls) fire_call(*events_[event].calls, firing, values);
  for (const Rule& rule : events_[event].rules) {
    ImportedFiring own = firing;
    values_.clear();
    if (rule.derive(values, own, values_)) target_.add(rule.probe, own, values_);
  }
}

}  // namespace dscope
