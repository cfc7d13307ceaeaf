#include "frontend/plan/plan_machine.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "contract/host.h"
#include "contract/stacks/unwind_tables.h"
#include "contract/types/member.h"
#include "frontend/plan/kernel_members.h"
#include "frontend/semantics/walk.h"

namespace dscope {

std::string_view user_register_path(const Architecture& architecture, uint32_t index) {
  uint32_t first = architecture.register_words;
  if (index < first || index > architecture.last_user_register()) return {};
  return architecture.thread_registers[index - first];
}

bool may_lack_pages(const Semantics& meaning, const ClauseInstance& clause) {
  for (const DerivedProbe& derived : meaning.derived_probes)
    if (&derived.instance == &clause) return derived.probe->may_lack_pages;
  return std::ranges::any_of(clause.probes, &Probe::may_lack_pages);
}

namespace {

constexpr uint32_t lateness_argument = 2;  // of profile-N

// The data about the machine that the program uses.
struct MachineUses {
  std::set<std::string> task_members;  // paths from struct task_struct
  std::set<MachinePart> parts;
  bool reads_user_stacks = false;  // or a part of one
  bool may_read_lateness = false;  // reads argument 2 of any probe
  bool may_lack_pages = false;     // reads user memory of processes that lack pages in their page tables
};

// Adds the members that built-in variables read for a thread that is not running.
void add_subject_members(std::set<std::string>& paths) {
  for (std::string_view path :
       {task_path::process_id, task_path::thread_id, task_path::name, task_path::uid, task_path::gid})
    paths.emplace(path);
}

bool reads_user_memory(const ExprInfo& info) {
  const auto* subroutine = std::get_if<Subroutine>(&info.binding);
  return info.space == Space::User || (subroutine != nullptr && row(*subroutine).context == FiringContext::UserMemory);
}

void note_use(const Architecture& architecture, const Binding& binding, MachineUses& uses) {
  if (const auto* variable = std::get_if<BuiltinVariable>(&binding)) {
    if (std::string_view path = row(*variable).task_member; !path.empty()) uses.task_members.emplace(path);
    if (*variable == BuiltinVariable::Execname) uses.task_members.emplace(task_path::name);
    if (*variable == BuiltinVariable::Pid || *variable == BuiltinVariable::Tid)
      uses.task_members.insert({std::string(task_path::process_id), std::string(task_path::thread_id)});
    if (*variable == BuiltinVariable::Ucaller || *variable == BuiltinVariable::Ustackdepth)
      uses.reads_user_stacks = true;
  } else if (const auto* user_register = std::get_if<UserRegister>(&binding)) {
    std::string_view path = user_register_path(architecture, user_register->index);
    if (!path.empty()) uses.task_members.emplace(path);
  } else if (const auto* subroutine = std::get_if<Subroutine>(&binding)) {
    uses.parts.insert(row(*subroutine).machine_part);
  } else if (const auto* action = std::get_if<Action>(&binding)) {
    uses.parts.insert(row(*action).machine_part);
    uses.reads_user_stacks |= row(*action).value == ActionValue::UserStack;
  } else if (const auto* argument = std::get_if<RawArgument>(&binding)) {
    uses.may_read_lateness |= argument->index == lateness_argument;
  }
}

MachineUses uses_of_expressions(const Architecture& architecture, const Semantics& meaning) {
  MachineUses uses;
  walk_program(meaning, [&](const Expr& expr, const ClauseInstance& clause) {
    const ExprInfo& info = meaning.info(clause, expr);
    // may_lack_pages() is slow, because a clause may have tens of thousands of probes.
    if (!uses.may_lack_pages && reads_user_memory(info)) uses.may_lack_pages = may_lack_pages(meaning, clause);
    note_use(architecture, info.binding, uses);
  });
  return uses;
}

template <typename WantedHook, typename Condition>
bool has_hook(const ProgramPlan& plan, Condition is_wanted) {
  for (const BpfProgramPlan& program : plan.programs)
    for (const Attachment& attachment : program.attachments)
      if (const auto* hook = std::get_if<WantedHook>(&attachment.hook); hook != nullptr && is_wanted(*hook))
        return true;
  return false;
}

bool reads_thread_pointer(const ProgramLayout& program) {
  auto is_read = [](const LocationStep& step) { return step.operation == LocationOperation::ThreadPointer; };
  for (const PlacedVariable& variable : program.variables)
    for (const LocationPart& part : variable.place.parts)
      if (std::ranges::any_of(part.steps, is_read)) return true;
  return false;
}

class MachineParts {
 public:
  MachineParts(const Semantics& meaning, Host& host, CompiledPlan& out)
      : meaning_(meaning), types_(*meaning.types), host_(host), members_(host, types_), out_(out) {}

  void run() {
    MachineUses uses = uses_of_expressions(architecture(), meaning_);
    add_uses_of_programs(uses);
    for (const std::string& path : uses.task_members)
      for (TaskMember& member : members_.task_members(path)) out_.task_members.push_back(std::move(member));
    for (MachinePart part : uses.parts) find(part);
    if (has_unwind_tables(out_.plan)) add_unwind_members();
    if (uses.reads_user_stacks) add_members_of_replaced_returns();
  }

 private:
  const Architecture& architecture() const { return *out_.layout.architecture; }

  void add_compat_calls(MachineUses& uses) {
    const CompatCalls* compat = architecture().compat_calls;
    if (compat != nullptr) uses.task_members.emplace(compat->task_member);
  }

  void add_uses_of_programs(MachineUses& uses) {
    bool has_subject =
        std::ranges::any_of(meaning_.derived_probes,
                            [](const DerivedProbe& derived) { return derived.derivation->subject.has_value(); }) ||
        has_hook<HookIterator>(out_.plan, [](const HookIterator& hook) { return hook.subject.has_value(); });
    if (has_subject) add_subject_members(uses.task_members);
    if (std::ranges::any_of(out_.layout.programs, &ProgramLayout::is_syscall)) add_compat_calls(uses);
    if (std::ranges::any_of(out_.layout.programs, reads_thread_pointer))
      uses.task_members.emplace(architecture().thread_pointer);
    if (uses.may_lack_pages) uses.parts.insert(MachinePart::MemoryLayout);
    if (std::ranges::any_of(out_.layout.programs, [](const ProgramLayout& each) { return each.family != 0; }))
      uses.parts.insert(MachinePart::TaskParents);
    if (uses.may_read_lateness && has_hook<HookPerfClock>(out_.plan, [](const HookPerfClock&) { return true; }))
      uses.parts.insert(MachinePart::PerfDeadline);
  }

  void find(MachinePart part) {
    switch (part) {
      case MachinePart::Nothing: break;
      case MachinePart::CpuTable: make_cpu_table(); break;
      case MachinePart::DriverTable: make_driver_table(); break;
      case MachinePart::MemoryLayout: out_.memory_layout = members_.memory_layout(); break;
      case MachinePart::MutexOwner: add_object_members("struct mutex", {"owner"}); break;
      case MachinePart::PacketMembers:
        add_object_members("struct sk_buff", {"len", "data_len", "data", "head", "network_header", "mac_header"});
        break;
      case MachinePart::PathLayout: out_.path_layout = members_.path_layout(); break;
      case MachinePart::PerfDeadline:
        add_object_members("struct bpf_perf_event_data_kern", {"event"});
        add_object_members("struct perf_event", {"hw.hrtimer.node.expires"});
        break;
      case MachinePart::RouteLayout: out_.route_layout = members_.route_layout(); break;
      case MachinePart::RwlockCount: add_object_members("rwlock_t", {"raw_lock.cnts"}); break;
      case MachinePart::TaskParents: add_object_members("struct task_struct", {"real_parent", "tgid"}); break;
    }
  }

  void add_unwind_members() {
    add_object_members("struct task_struct", {"mm", "real_parent", "tgid"});
    add_object_members("struct mm_struct", {"start_stack", "exec_vm"});
  }

  void add_members_of_replaced_returns() {
    add_object_members("struct task_struct", {"utask"});
    add_object_members("struct uprobe_task", {"return_instances"});
    add_object_members("struct return_instance", {"stack", "orig_ret_vaddr", "next"});
  }

  void add_object_members(const std::string& type, std::initializer_list<const char*> paths) {
    for (const char* path : paths)
      if (auto offset = members_.offset_of(type, path))
        add_object_member({.path = type + "." + path, .offset = *offset});
  }

  void add_object_member(ObjectMember member) {
    if (std::ranges::find(out_.object_members, member.path, &ObjectMember::path) == out_.object_members.end())
      out_.object_members.push_back(std::move(member));
  }

  // ---- cpuinfo_t: a D library declares its members; the host provides their values

  void put(size_t row, const char* path, std::string_view bytes) {
    auto type = types_.find("cpuinfo_t");
    uint64_t offset = 0;
    for (std::string_view rest = path; type && !rest.empty();) {
      std::string_view name = rest.substr(0, rest.find('.'));
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
      auto member = find_member(host_, types_, *type, name);
      if (!member) return;
      offset += member->bit_offset / 8;
      type = member->type;
    }
    if (!type) return;
    size_t size = std::min<size_t>(bytes.size(), types_.size_of(*type));
    std::memcpy(out_.cpu_table.data() + row * out_.cpu_table_row + offset, bytes.data(), size);
  }

  void put(size_t row, const char* path, int32_t number) {
    put(row, path, std::string_view(reinterpret_cast<const char*>(&number), sizeof number));
  }

  // Row 0 is CPU -1, which stands for no CPU.
  void make_cpu_table() {
    auto type = types_.find("cpuinfo_t");
    if (!type) return;
    std::vector<CpuFacts> cpus = host_.cpus();
    out_.cpu_table_row = round_up8(static_cast<uint32_t>(types_.size_of(*type)));
    out_.cpu_table.assign((cpus.size() + 1) * out_.cpu_table_row, '\0');
    put(0, "cpu_id", -1);
    for (size_t i = 0; i < cpus.size(); ++i) {
      put(i + 1, "cpu_id", static_cast<int32_t>(i));
      put(i + 1, "cpu_chip", cpus[i].package);
      put(i + 1, "cpu_lgrp", cpus[i].node);
      put(i + 1, "cpu_info.pi_state", 2);
      put(i + 1, "cpu_info.pi_clock", cpus[i].megahertz);
      put(i + 1, "cpu_info.pi_processor_type", architecture().name);
    }
  }

  void make_driver_table() {
    std::map<uint32_t, std::string> drivers = host_.block_drivers();
    for (uint32_t major = 0; major < block_driver_rows; ++major) {
      auto driver = drivers.find(major);
      std::string name = driver == drivers.end() ? "<none>" : driver->second.substr(0, block_driver_row() - 1);
      name.resize(block_driver_row());
      out_.driver_table += name;
    }
  }

  const Semantics& meaning_;
  TypeTable& types_;
  Host& host_;
  KernelMembers members_;
  CompiledPlan& out_;
};

}  // namespace

void find_machine_parts(const Semantics& meaning, Host& host, CompiledPlan& out) {
  MachineParts(meaning, host, out).run();
}

}  // namespace dscope
