#include "frontend/plan/plan_machine.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "frontend/semantics/walk.h"

namespace dscope {

const std::vector<const char*>& user_register_path(uint32_t index) {
  // Those that are not in struct pt_regs, from R_DS on.
  static const std::vector<std::vector<const char*>> paths = {
      {"thread", "ds"}, {"thread", "es"}, {"thread", "fsindex"}, {"thread", "gsindex"}, {"thread", "trap_nr"}};
  static const std::vector<const char*> none;
  if (index < first_thread_register || index > last_user_register) return none;
  return paths[index - first_thread_register];
}

namespace {

bool is_execution(const Probe& probe) {
  return (probe.provider == "syscall" && probe.function.starts_with("exec")) ||
         (probe.provider == "proc" && probe.name.starts_with("exec"));
}

}  // namespace

bool sees_newborn_processes(const Semantics& meaning, const ClauseInstance& clause) {
  for (const DerivedProbe& derived : meaning.derived_probes)
    if (&derived.instance == &clause) return is_execution(*derived.probe);
  return std::ranges::any_of(clause.probes, [](const Probe* probe) { return is_execution(*probe); });
}

namespace {

class MachineParts {
 public:
  MachineParts(const Semantics& meaning, Host& host, CompiledPlan& out)
      : meaning_(meaning), types_(*meaning.types), host_(host), out_(out) {}

  void run() {
    std::set<std::vector<const char*>> paths;
    std::set<Subroutine> subroutines;
    bool has_packets = false, has_arguments = false, may_lack_pages = false;
    auto visit = [&](const Binding& binding) {
      if (const auto* variable = std::get_if<BuiltinVariable>(&binding)) {
        if (*variable == BuiltinVariable::Ppid) paths.insert({"real_parent", "tgid"});
        if (*variable == BuiltinVariable::Vtimestamp) paths.insert({"se", "sum_exec_runtime"});
      } else if (const auto* user_register = std::get_if<UserRegister>(&binding)) {
        if (user_register->index >= first_thread_register) paths.insert(user_register_path(user_register->index));
      } else if (const auto* subroutine = std::get_if<Subroutine>(&binding)) {
        subroutines.insert(*subroutine);
      } else if (const auto* action = std::get_if<Action>(&binding)) {
        has_packets |= *action == Action::Pcap;
      } else if (const auto* argument = std::get_if<RawArgument>(&binding)) {
        has_arguments |= argument->index == lateness_argument;
      }
    };
    walk_program(meaning_, [&](const Expr& expr, const ClauseInstance& clause) {
      const ExprInfo& info = meaning_.info(clause, expr);
      // A clause may have tens of thousands of probes.
      if (!may_lack_pages && reads_user_memory(info)) may_lack_pages = sees_newborn_processes(meaning_, clause);
      visit(info.binding);
    });
    for (const DerivedProbe& derived : meaning_.derived_probes)
      if (derived.derivation->subject) add_subject_paths(paths);
    for (const BpfProgramPlan& program : out_.plan.programs)
      for (const Attachment& attachment : program.attachments)
        if (const auto* hook = std::get_if<HookIterator>(&attachment.hook); hook != nullptr && hook->subject)
          add_subject_paths(paths);
    if (std::ranges::any_of(out_.layout.programs, &ProgramLayout::is_syscall)) paths.insert({"thread_info", "status"});
    for (const std::vector<const char*>& path : paths) add_task_path(path);
    auto uses = [&](std::initializer_list<Subroutine> wanted) {
      return std::any_of(wanted.begin(), wanted.end(), [&](Subroutine id) { return subroutines.contains(id); });
    };
    if (has_packets)
      for (const char* member : {"len", "data_len", "data", "head", "network_header", "mac_header"})
        add_object_member("struct sk_buff", {member});
    if (has_arguments && fires_by_clock()) {
      add_object_member("struct bpf_perf_event_data_kern", {"event"});
      add_object_member("struct perf_event", {"hw", "hrtimer", "node", "expires"});
    }
    if (uses({Subroutine::DPath, Subroutine::DentryPath, Subroutine::MountPoint})) find_path_members();
    if (uses({Subroutine::IsLocalAddress})) find_route_members();
    if (may_lack_pages || uses({Subroutine::PsArgsOf, Subroutine::UserWordOf})) find_memory_layout();
    if (uses({Subroutine::CpuInfo})) make_cpu_table();
    if (uses({Subroutine::BlockDriver})) make_driver_table();
    bool follows = std::any_of(out_.layout.programs.begin(), out_.layout.programs.end(),
                               [](const ProgramLayout& program) { return program.family != 0; });
    if (follows || uses({Subroutine::Progenyof})) {
      add_object_member("struct task_struct", {"real_parent"});
      add_object_member("struct task_struct", {"tgid"});
    }
    if (uses({Subroutine::MutexOwned, Subroutine::MutexOwner})) add_object_member("struct mutex", {"owner"});
    if (uses({Subroutine::RwIswriter, Subroutine::RwReadHeld, Subroutine::RwWriteHeld}))
      add_object_member("rwlock_t", {"raw_lock", "cnts"});
  }

 private:
  static constexpr uint32_t lateness_argument = 2;  // of profile-N

  bool fires_by_clock() const {
    for (const BpfProgramPlan& program : out_.plan.programs)
      for (const Attachment& attachment : program.attachments)
        if (std::holds_alternative<HookPerfClock>(attachment.hook)) return true;
    return false;
  }

  // What the built-in variables are of a thread that is not running.
  static void add_subject_paths(std::set<std::vector<const char*>>& paths) {
    paths.insert({"tgid"});
    paths.insert({"pid"});
    paths.insert({"comm"});
    paths.insert({"real_cred", "uid", "val"});
    paths.insert({"real_cred", "gid", "val"});
  }

  void add_task_path(const std::vector<const char*>& path) {
    std::optional<TypeId> at = host_.find_type(types_, "", "struct task_struct");
    std::string so_far;
    for (const char* name : path) {
      if (!at) return;
      auto member = find_member(host_, types_, *at, name);
      if (!member) return;
      so_far += so_far.empty() ? name : std::string(".") + name;
      bool is_pointer = types_.is_pointer(member->type);
      bool is_object = types_.is_struct_or_union(member->type);
      out_.task_members.push_back({.path = so_far,
                                   .offset = member->bit_offset / 8,
                                   .size = is_object    ? 0
                                           : is_pointer ? 8
                                                        : static_cast<uint32_t>(types_.size_of(member->type)),
                                   .is_pointer = is_pointer});
      at = is_pointer ? types_.resolved(member->type).base : member->type;
    }
  }

  // The offset of a member of a member ...; nothing if this kernel has no such thing.
  std::optional<uint32_t> offset_of(const char* type, std::initializer_list<const char*> path) {
    std::optional<TypeId> at = host_.find_type(types_, "", type);
    uint64_t offset = 0;
    for (const char* name : path) {
      auto member = at ? find_member(host_, types_, *at, name) : std::nullopt;
      if (!member) return std::nullopt;
      offset += member->bit_offset / 8;
      at = member->type;
    }
    return static_cast<uint32_t>(offset);
  }

  void add_object_member(const std::string& type, std::initializer_list<const char*> path) {
    auto offset = offset_of(type.c_str(), path);
    if (!offset) return;
    ObjectMember found{.path = type, .offset = *offset};
    for (const char* name : path) found.path += std::string(".") + name;
    out_.object_members.push_back(std::move(found));
  }

  // Where one is missing, the last is 0.
  static void put_members(std::initializer_list<std::optional<uint32_t>> offsets, std::vector<uint32_t>& members) {
    bool is_complete = true;
    for (const auto& offset : offsets) {
      is_complete &= offset.has_value();
      members.push_back(offset.value_or(0));
    }
    if (!is_complete) members.back() = 0;
  }

  void find_path_members() {
    put_members({offset_of("struct path", {"mnt"}), offset_of("struct path", {"dentry"}),
                 offset_of("struct dentry", {"d_parent"}), offset_of("struct dentry", {"d_name", "len"}),
                 offset_of("struct dentry", {"d_name", "name"}), offset_of("struct vfsmount", {"mnt_root"}),
                 offset_of("struct mount", {"mnt"}), offset_of("struct mount", {"mnt_parent"}),
                 offset_of("struct mount", {"mnt_mountpoint"})},
                out_.path_members);
  }

  void find_route_members() {
    // Without tables for rules there are two.
    uint32_t place = offset_of("struct net", {"ipv4", "rules_ops"}) ? 255 * 8 : 8;
    auto local6 = offset_of("struct net", {"ipv6", "fib6_local_tbl"});
    if (!local6) local6 = offset_of("struct net", {"ipv6", "fib6_main_tbl"});
    put_members({offset_of("struct net", {"ipv4", "fib_table_hash"}),
                 place,
                 offset_of("struct fib_table", {"tb_hlist"}),
                 offset_of("struct fib_table", {"tb_id"}),
                 offset_of("struct fib_table", {"tb_data"}),
                 offset_of("struct trie", {"kv"}),
                 offset_of("struct key_vector", {"key"}),
                 offset_of("struct key_vector", {"pos"}),
                 offset_of("struct key_vector", {"bits"}),
                 offset_of("struct key_vector", {"leaf"}),
                 offset_of("struct fib_alias", {"fa_list"}),
                 offset_of("struct fib_alias", {"fa_type"}),
                 offset_of("struct fib_alias", {"fa_slen"}),
                 local6,
                 offset_of("struct fib6_table", {"tb6_root"}),
                 offset_of("struct fib6_node", {"left"}),
                 offset_of("struct fib6_node", {"right"}),
                 offset_of("struct fib6_node", {"leaf"}),
                 offset_of("struct fib6_node", {"fn_bit"}),
                 offset_of("struct fib6_node", {"fn_flags"}),
                 offset_of("struct fib6_info", {"fib6_dst", "addr"}),
                 offset_of("struct fib6_info", {"fib6_dst", "plen"}),
                 offset_of("struct fib6_info", {"fib6_type"})},
                out_.route_members);
  }

  static bool reads_user_memory(const ExprInfo& info) {
    const auto* subroutine = std::get_if<Subroutine>(&info.binding);
    bool is_read =
        subroutine != nullptr && (*subroutine == Subroutine::Copyin || *subroutine == Subroutine::Copyinstr ||
                                  *subroutine == Subroutine::Copyinto || *subroutine == Subroutine::PsArgs);
    return is_read || info.space == Space::User;
  }

  // Nothing if this kernel lacks one of the members.
  void find_memory_layout() {
    std::optional<uint32_t> page_index = offset_of("struct page", {"index"});
    if (!page_index) page_index = offset_of("struct page", {"__folio_index"});
    auto page = host_.find_type(types_, "", "struct page");
    const std::optional<uint32_t> members[] = {page_index,
                                               offset_of("struct task_struct", {"mm"}),
                                               offset_of("struct mm_struct", {"pgd"}),
                                               offset_of("struct vm_area_struct", {"vm_start"}),
                                               offset_of("struct vm_area_struct", {"vm_pgoff"}),
                                               offset_of("struct vm_area_struct", {"vm_file"}),
                                               offset_of("struct file", {"f_mapping"}),
                                               offset_of("struct address_space", {"i_pages", "xa_head"}),
                                               offset_of("struct xa_node", {"shift"}),
                                               offset_of("struct xa_node", {"slots"}),
                                               offset_of("struct task_struct", {"files"}),
                                               offset_of("struct files_struct", {"fdt"}),
                                               offset_of("struct fdtable", {"fd"})};
    if (!page || !std::ranges::all_of(members, [](const auto& member) { return member.has_value(); })) return;
    if (!types_.resolved(*page).is_complete) host_.complete_type(types_, types_.resolve(*page));
    MemoryOffsets offsets{.task_memory = *members[1],
                          .mm_tables = *members[2],
                          .task_files = *members[10],
                          .files_table = *members[11],
                          .table_files = *members[12],
                          .file_mapping = *members[6],
                          .mapping_pages = *members[7],
                          .page_bytes = static_cast<uint32_t>(types_.size_of(*page))};
    auto memory = offsets.page_bytes == 0 ? std::nullopt : host_.physical_memory(offsets);
    if (!memory) return;
    out_.memory_layout = {memory->direct_map, memory->page_structs, memory->frame_mask, memory->top_shift,
                          offsets.page_bytes};
    for (size_t i = 0; i < 10; ++i) out_.memory_layout.push_back(*members[i]);
  }

  // ---- cpuinfo_t: the D library says what is in it, the machine what the values are

  void put(size_t row, const char* path, const char* inner, std::string_view bytes) {
    auto type = types_.find("cpuinfo_t");
    if (!type) return;
    auto member = find_member(host_, types_, *type, path);
    if (!member) return;
    uint64_t offset = member->bit_offset / 8;
    if (inner != nullptr) {
      member = find_member(host_, types_, member->type, inner);
      if (!member) return;
      offset += member->bit_offset / 8;
    }
    size_t size = std::min<size_t>(bytes.size(), types_.size_of(member->type));
    std::memcpy(out_.cpu_table.data() + row * out_.cpu_table_row + offset, bytes.data(), size);
  }

  void put(size_t row, const char* path, const char* inner, int32_t number) {
    put(row, path, inner, std::string_view(reinterpret_cast<const char*>(&number), sizeof number));
  }

  // Row 0 is the CPU that there is not: number -1.
  void make_cpu_table() {
    auto type = types_.find("cpuinfo_t");
    if (!type) return;
    std::vector<CpuFacts> cpus = host_.cpus();
    out_.cpu_table_row = round_up8(static_cast<uint32_t>(types_.size_of(*type)));
    out_.cpu_table.assign((cpus.size() + 1) * out_.cpu_table_row, '\0');
    put(0, "cpu_id", nullptr, -1);
    for (size_t i = 0; i < cpus.size(); ++i) {
      put(i + 1, "cpu_id", nullptr, static_cast<int32_t>(i));
      put(i + 1, "cpu_chip", nullptr, cpus[i].package);
      put(i + 1, "cpu_lgrp", nullptr, cpus[i].node);
      put(i + 1, "cpu_info", "pi_state", 2);
      put(i + 1, "cpu_info", "pi_clock", cpus[i].megahertz);
      put(i + 1, "cpu_info", "pi_processor_type", std::string_view("x86_64"));
    }
  }

  void make_driver_table() {
    std::map<uint32_t, std::string> drivers = host_.block_drivers();
    for (uint32_t major = 0; major < block_driver_rows; ++major) {
      auto driver = drivers.find(major);
      std::string name = driver == drivers.end() ? "<none>" : driver->second.substr(0, block_driver_row - 1);
      name.resize(block_driver_row);
      out_.driver_table += name;
    }
  }

  const Semantics& meaning_;
  TypeTable& types_;
  Host& host_;
  CompiledPlan& out_;
};

}  // namespace

void find_machine_parts(const Semantics& meaning, Host& host, CompiledPlan& out) {
  MachineParts(meaning, host, out).run();
}

}  // namespace dscope
