#include "import/derived_probes.h"

#include <algorithm>
#include <optional>

namespace dscope {

namespace {

using Fields = std::span<const ImportedValue>;
using Values = std::vector<ImportedValue>;

// The index of a field; beyond the last one if the event has none. LTTng says tid where the kernel says pid.
size_t field(const ImportedEventType& type, std::string_view name) {
  auto found = std::ranges::find(type.fields, name, &ImportedField::name);
  if (found == type.fields.end() && name.ends_with("pid"))
    found = std::ranges::find(type.fields, std::string(name.substr(0, name.size() - 3)) + "tid", &ImportedField::name);
  return static_cast<size_t>(found - type.fields.begin());
}

uint64_t number(Fields fields, size_t index) { return index < fields.size() ? fields[index].number : 0; }
std::string_view text(Fields fields, size_t index) { return index < fields.size() ? fields[index].bytes : ""; }

bool has_event(std::span<const ImportedEventType> all, std::string_view group, std::string_view name) {
  return std::ranges::any_of(all, [&](const auto& type) { return type.group == group && type.name == name; });
}

ImportedProbe probe(std::string_view provider, std::string_view name, std::vector<ImportedArgument> arguments = {}) {
  return {.provider = std::string(provider),
          .module = {},
          .function = {},
          .name = std::string(name),
          .arguments = std::move(arguments)};
}

ImportedArgument lwpsinfo() {
  return {.name = "lwpsinfo",
          .type_text = "lwpsinfo_t *",
          .size = 8,
          .object = "lwpsinfo_t",
          .members = {{"pr_lwpid", "int"}, {"pr_pri", "int"}, {"pr_name", "char [16]"}}};
}
ImportedArgument psinfo() {
  return {.name = "psinfo",
          .type_text = "psinfo_t *",
          .size = 8,
          .object = "psinfo_t",
          .members = {{"pr_pid", "int"}, {"pr_ppid", "int"}, {"pr_fname", "char [16]"}}};
}

// Names of threads and processes live until the values are written.
class ThreadValues {
 public:
  explicit ThreadValues(ThreadTable& threads) : threads_(threads) {}

  CapturedThread thread(uint32_t tid, std::string_view name, uint32_t cpu) {
    if (tid == 0) return ThreadTable::idle(cpu);
    CapturedThread& known = threads_.at(tid);
    if (known.execname.empty()) known.execname = name;
    return known;
  }
  void append(Values& values, const CapturedThread& thread, uint64_t priority) {
    thread_name_ = thread.execname;
    process_name_ = threads_.process_name(thread);
    values.push_back({.number = thread.tid, .bytes = {}});
    values.push_back({.number = priority, .bytes = {}});
    values.push_back({.number = 0, .bytes = thread_name_});
    append_process(values, thread);
  }
  void append_process(Values& values, const CapturedThread& thread) {
    process_name_ = threads_.process_name(thread);
    values.push_back({.number = thread.pid, .bytes = {}});
    values.push_back({.number = thread.ppid, .bytes = {}});
    values.push_back({.number = 0, .bytes = process_name_});
  }

 private:
  ThreadTable& threads_;
  std::string thread_name_, process_name_;
};

// Bits of the kernel's task state that sched_switch reports; others say that the thread is preempted.
constexpr uint64_t sleeping_states = 0x7f, dead_states = 0x30;

void add_switch(const ImportedEventType& type, ThreadTable& threads, std::vector<EventDerivation>& found) {
  size_t pid = field(type, "next_pid"), name = field(type, "next_comm"), priority = field(type, "next_prio"),
         state = field(type, "prev_state"), previous = field(type, "prev_pid");
  if (state == type.fields.size() || pid == type.fields.size()) return;
  auto next = [=, &threads](Fields fields, const ImportedFiring& firing) {
    return ThreadValues{threads}.thread(static_cast<uint32_t>(number(fields, pid)), text(fields, name), firing.cpu);
  };
  found.push_back({probe("sched", "sleep"), [=](Fields fields, ImportedFiring&, Values&) {
                     uint64_t bits = number(fields, state);
                     return (bits & sleeping_states) != 0 && (bits & dead_states) == 0;
                   }});
  found.push_back({probe("sched", "preempt"), [=](Fields fields, ImportedFiring&, Values&) {
                     return (number(fields, state) & sleeping_states) == 0 && number(fields, previous) != 0;
                   }});
  auto values_of_thread = std::make_shared<ThreadValues>(threads);
  found.push_back(
      {probe("sched", "off-cpu", {lwpsinfo(), psinfo()}), [=](Fields fields, ImportedFiring& firing, Values& values) {
         values_of_thread->append(values, next(fields, firing), number(fields, priority));
         return true;
       }});
  found.push_back({probe("sched", "on-cpu"), [=](Fields fields, ImportedFiring& firing, Values&) {
                     firing.thread = next(fields, firing);
                     firing.kernel_stack = firing.user_stack = {};  // of the thread that gives up the CPU
                     return true;
                   }});
}

// An event about the thread `pid`, whose name is `comm`.
EventDerivation about_thread(ImportedProbe made, const ImportedEventType& type, ThreadTable& threads) {
  size_t pid = field(type, "pid"), name = field(type, "comm"), priority = field(type, "prio");
  auto values_of_thread = std::make_shared<ThreadValues>(threads);
  return {std::move(made), [=](Fields fields, ImportedFiring& firing, Values& values) {
            CapturedThread thread =
                values_of_thread->thread(static_cast<uint32_t>(number(fields, pid)), text(fields, name), firing.cpu);
            values_of_thread->append(values, thread, number(fields, priority));
            return true;
          }};
}

EventProbes::Derive always() {
  return [](Fields, ImportedFiring&, Values&) { return true; };
}

// The new thread's number does not tell whether it is a process of its own; the thread table does, if the file has
// records of forks.
void add_fork(const ImportedEventType& type, ThreadTable& threads, std::vector<EventDerivation>& found) {
  size_t child = field(type, "child_pid"), name = field(type, "child_comm");
  if (child == type.fields.size()) return;
  auto values_of_thread = std::make_shared<ThreadValues>(threads);
  found.push_back({probe("proc", "create", {psinfo()}), [=](Fields fields, ImportedFiring& firing, Values& values) {
                     CapturedThread thread = values_of_thread->thread(static_cast<uint32_t>(number(fields, child)),
                                                                      text(fields, name), firing.cpu);
                     if (thread.pid != thread.tid) return false;
                     values_of_thread->append_process(values, thread);
                     return true;
                   }});
}

void add_exit(const ImportedEventType& type, std::vector<EventDerivation>& found) {
  found.push_back({probe("proc", "lwp-exit"), always()});
  // Since Linux 6.16 the event says whether the thread is the last one of its process.
  size_t is_last = field(type, "group_dead");
  if (is_last == type.fields.size()) return;
  found.push_back(
      {probe("proc", "exit"), [=](Fields fields, ImportedFiring&, Values&) { return number(fields, is_last) != 0; }});
}

// block:block_rq_issue and block_rq_complete as io:::start and io:::done.
void add_request(const ImportedEventType& type, std::string_view name, std::vector<EventDerivation>& found) {
  constexpr uint32_t b_read = 0x40, b_write = 0x100, sector_size = 512;
  constexpr uint32_t minor_bits = 20;
  size_t device = field(type, "dev"), sector = field(type, "sector"), sectors = field(type, "nr_sector"),
         kind = field(type, "rwbs"), bytes = field(type, "bytes");
  ImportedArgument buffer{
      .name = "bufinfo",
      .type_text = "bufinfo_t *",
      .size = 8,
      .object = "bufinfo_t",
      .members = {
          {"b_flags", "int"}, {"b_bcount", "unsigned long"}, {"b_blkno", "unsigned long"}, {"b_edev", "unsigned int"}}};
  ImportedArgument device_info{.name = "devinfo",
                               .type_text = "devinfo_t *",
                               .size = 8,
                               .object = "devinfo_t",
                               .members = {{"dev_major", "int"}, {"dev_minor", "int"}}};
  found.push_back({probe("io", name, {buffer, device_info}), [=](Fields fields, ImportedFiring&, Values& values) {
                     uint64_t dev = number(fields, device);
                     std::string_view letters = text(fields, kind);
                     uint64_t flags = letters.find('R') != std::string_view::npos   ? b_read
                                      : letters.find('W') != std::string_view::npos ? b_write
                                                                                    : 0;
                     uint64_t size =
                         bytes < fields.size() ? number(fields, bytes) : number(fields, sectors) * sector_size;
                     for (uint64_t value :
                          {flags, size, number(fields, sector), dev, dev >> minor_bits, dev & ((1U << minor_bits) - 1)})
                       values.push_back({.number = value, .bytes = {}});
                     return true;
                   }});
}

void add_signal(const ImportedEventType& type, ThreadTable& threads, std::vector<EventDerivation>& found) {
  size_t signal = field(type, "sig");
  ImportedArgument argument{.name = "signal", .type_text = "int", .size = 4, .is_signed = true};
  if (type.name == "signal_deliver") {
    found.push_back({probe("proc", "signal-handle", {argument}), [=](Fields fields, ImportedFiring&, Values& values) {
                       values.push_back({.number = number(fields, signal), .bytes = {}});
                       return true;
                     }});
  } else if (type.name == "signal_generate") {
    EventDerivation sent = about_thread(probe("proc", "signal-send", {lwpsinfo(), psinfo(), argument}), type, threads);
    sent.derive = [signal, derive = std::move(sent.derive)](Fields fields, ImportedFiring& firing, Values& values) {
      derive(fields, firing, values);
      values.push_back({.number = number(fields, signal), .bytes = {}});
      return true;
    };
    found.push_back(std::move(sent));
  }
}

}  // namespace

void learn_names(const ImportedEventType& type, std::span<const ImportedValue> fields, ThreadTable& threads) {
  if (type.group != "sched") return;
  for (std::string_view role : {"prev_", "next_", "parent_", "child_", ""}) {
    size_t pid = field(type, std::string(role) + "pid"), name = field(type, std::string(role) + "comm");
    auto tid = static_cast<uint32_t>(number(fields, pid));
    if (tid != 0 && !text(fields, name).empty()) threads.set_name(tid, text(fields, name));
  }
}

std::vector<EventDerivation> derived_probes(const ImportedEventType& type, std::span<const ImportedEventType> all,
                                            ThreadTable& threads) {
  std::vector<EventDerivation> found;
  if (type.group == "signal") add_signal(type, threads, found);
  if (type.group == "block" && type.name == "block_rq_issue") add_request(type, "start", found);
  if (type.group == "block" && type.name == "block_rq_complete") add_request(type, "done", found);
  if (type.group != "sched") return found;
  if (type.name == "sched_switch") add_switch(type, threads, found);
  // sched_waking fires in the thread that wakes; sched_wakeup perhaps on another CPU.
  bool is_wakeup =
      type.name == "sched_waking" || (type.name == "sched_wakeup" && !has_event(all, "sched", "sched_waking"));
  if (is_wakeup) found.push_back(about_thread(probe("sched", "wakeup", {lwpsinfo(), psinfo()}), type, threads));
  if (type.name == "sched_process_fork") add_fork(type, threads, found);
  if (type.name == "sched_process_exec") found.push_back({probe("proc", "exec-success"), always()});
  if (type.name == "sched_process_exit") add_exit(type, found);
  return found;
}

}  // namespace dscope
