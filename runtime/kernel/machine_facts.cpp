#include "runtime/kernel/machine_facts.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <initializer_list>
#include <vector>

#include "runtime/kernel/bpf_instructions.h"
#include "runtime/kernel/machine_record.h"
#include "runtime/kernel/module_file.h"
#include "support/format.h"
#include "support/read_file.h"

namespace dscope {
namespace {

using namespace instructions;

Fd load_instructions(std::initializer_list<bpf_insn> program, const bpf_attr& attributes) {
  return instructions::load(std::span{program.begin(), program.size()}, attributes);
}

// 0 if the kernel loads the program, else errno.
int try_load(std::initializer_list<bpf_insn> program, bpf_attr attributes) {
  return load_instructions(program, attributes) ? 0 : errno;
}

// False only if the verifier rejected the program: without privileges it never runs.
bool accepts(std::initializer_list<bpf_insn> program) {
  bpf_attr attributes{};
  attributes.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
  int refusal = try_load(program, attributes);
  return refusal == 0 || refusal == EPERM || refusal == ENOSYS;
}

// Creates a link with an unreadable list of addresses: kernels that support such links fail with EFAULT, others with
// another error.
bool has_kprobe_multi() {
  constexpr uint32_t kprobe_multi = 42;
  bpf_attr attributes{};
  attributes.prog_type = BPF_PROG_TYPE_KPROBE;
  attributes.expected_attach_type = static_cast<bpf_attach_type>(kprobe_multi);
  Fd program = load_instructions({move_immediate(0, 0), exit_program()}, attributes);
  if (!program) return false;
  struct {
    uint32_t program_fd, target_fd, attach_type, flags, probe_flags, count;
    uint64_t symbols, addresses, cookies;
  } link{static_cast<uint32_t>(program.get()), 0, kprobe_multi, 0, 0, 1, 0, 1, 0};
  return ::syscall(SYS_bpf, BPF_LINK_CREATE, &link, sizeof link) < 0 && errno == EFAULT;
}

// "0-3,8" -> 5
uint32_t count_cpus(std::string_view list) {
  uint32_t count = 0;
  const char* at = list.data();
  const char* end = at + list.size();
  while (at < end) {
    uint32_t first = 0, last = 0;
    auto parsed = std::from_chars(at, end, first);
    if (parsed.ec != std::errc{}) break;
    last = first;
    if (parsed.ptr < end && *parsed.ptr == '-') parsed = std::from_chars(parsed.ptr + 1, end, last);
    count += last - first + 1;
    at = parsed.ptr + 1;  // skips the comma, or the newline at the end
  }
  return count;
}

template <typename T>
T read_number(const char* path, T otherwise) {
  auto text = read_file(path);
  T value{};
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc{}) return otherwise;
  return value;
}

// Whether the kernel loads a trivial program; if not, privileges are missing, and a refusal means nothing.
bool may_load_any() {
  bpf_attr harmless{};
  harmless.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
  return try_load({move_immediate(0, 0), exit_program()}, harmless) == 0;
}

bool is_module_in_sysfs(std::string_view name) {
  if (recorded_machine() == nullptr) return ::access(fmt::format("/sys/module/{}", name).c_str(), F_OK) == 0;
  return std::ranges::find(recorded_machine()->modules, name) != recorded_machine()->modules.end();
}

// Finds device and inode of our pid namespace, the arguments of bpf_get_ns_current_pid_tgid(). Leaves them 0 in the
// initial namespace.
void find_pid_namespace(MachineFacts& facts) {
  constexpr ino_t first = 0xEFFFFFFC;  // PROC_PID_INIT_INO (linux/proc_ns.h)
  struct stat own{};
  if (::stat("/proc/self/ns/pid", &own) != 0 || own.st_ino == first) return;
  facts.pid_namespace_device = own.st_dev;
  facts.pid_namespace = own.st_ino;
}

}  // namespace

MachineFacts read_machine_facts() {
  if (const MachineRecord* record = recorded_machine()) return record->facts;
  MachineFacts facts;
  facts.machine = native_architecture().name;
  constexpr int sdiv_offset = 1;  // BPF_DIV with offset 1 is a signed division, which is new in v4
  bpf_insn signed_division{.code = BPF_ALU64 | BPF_DIV | BPF_K, .dst_reg = 0, .off = sdiv_offset, .imm = 2};
  facts.has_cpu_v4 = accepts({move_immediate(0, 6), signed_division, exit_program()});
  facts.has_raw_tp_cookie = accepts({call(BPF_FUNC_get_attach_cookie), exit_program()});
  // Both came with Linux 6.10, and exact pids have no cheap test of their own.
  facts.has_exact_uprobe_pids = facts.has_raw_tp_cookie;
  facts.has_task_pt_regs = accepts({call(BPF_FUNC_get_current_task_btf), move_register(1, 0),
                                    call(BPF_FUNC_task_pt_regs), move_immediate(0, 0), exit_program()});
  if (auto possible = read_file("/sys/devices/system/cpu/possible"))
    facts.cpu_count = std::max(1U, count_cpus(*possible));
  facts.max_stack_frames = read_number("/proc/sys/kernel/perf_event_max_stack", facts.max_stack_frames);
  // The resolution of the coarse clock is the kernel's tick.
  timespec tick{};
  if (::clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_sec == 0 && tick.tv_nsec > 0)
    facts.ticks_per_second = static_cast<uint32_t>((1'000'000'000 + tick.tv_nsec / 2) / tick.tv_nsec);
  facts.online_cpu_count = static_cast<uint32_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  facts.page_size = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  facts.page_count = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES));
  utsname names{};
  if (::uname(&names) == 0) facts.kernel_release = names.release;
  if (auto banner = read_file("/proc/version")) facts.kernel_banner = banner->substr(0, banner->find('\n'));
  find_pid_namespace(facts);
  return facts;
}

std::vector<CpuFacts> read_cpus(uint32_t count) {
  if (const MachineRecord* record = recorded_machine()) return record->cpus;
  std::vector<CpuFacts> cpus(count);
  for (uint32_t i = 0; i < count; ++i) {
    std::string folder = fmt::format("/sys/devices/system/cpu/cpu{}/", i);
    cpus[i].package = read_number((folder + "topology/physical_package_id").c_str(), 0);
    cpus[i].megahertz = read_number((folder + "cpufreq/cpuinfo_max_freq").c_str(), 0) / 1000;
    // The directory of a CPU has a link node<N> to its NUMA node.
    DIR* entries = ::opendir(folder.c_str());
    if (entries == nullptr) continue;
    while (const dirent* entry = ::readdir(entries)) {
      std::string_view name = entry->d_name;
      constexpr std::string_view prefix = "node";
      if (name.starts_with(prefix)) std::from_chars(name.begin() + prefix.size(), name.end(), cpus[i].node);
    }
    ::closedir(entries);
  }
  return cpus;
}

std::map<uint32_t, std::string> read_block_drivers() {
  if (const MachineRecord* record = recorded_machine()) return record->block_drivers;
  std::map<uint32_t, std::string> drivers;
  auto text = read_file("/proc/devices");
  std::string_view rest = text ? std::string_view{*text} : std::string_view{};
  rest.remove_prefix(std::min(rest.find("Block devices:"), rest.size()));
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    uint32_t major = 0;
    auto [end, error] = std::from_chars(line.begin(), line.end(), major);
    if (error == std::errc{} && end != line.end()) drivers[major] = std::string(end + 1, line.end());
  }
  return drivers;
}

std::vector<std::string> modules_in_sysfs() {
  if (const MachineRecord* record = recorded_machine()) return record->modules;
  std::vector<std::string> names;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/module", problem))
    names.push_back(entry.path().filename().string());
  return names;
}

bool has_system_call(uint32_t number) {
  if (const MachineRecord* record = recorded_machine())
    return std::ranges::find(record->absent_calls, number) == record->absent_calls.end();
  return ::syscall(static_cast<long>(number), -1L, -1L, -1L, -1L, -1L, -1L) != -1 || errno != ENOSYS;
}

bool is_module_present(std::string_view name) {
  if (name == "vmlinux") return true;
  if (name.empty() || name.find('/') != std::string_view::npos) return false;
  // Built-in modules have a directory in sysfs only if they have parameters or a version; the complete list is a file
  // of the distribution.
  if (is_module_in_sysfs(name)) return true;
  auto list = read_file((module_directory() + "/modules.builtin").c_str());
  if (!list) return false;
  // File names may have dashes where module names have underscores: kernel/drivers/net/dummy-net.ko
  std::replace(list->begin(), list->end(), '-', '_');
  return list->find(fmt::format("/{}.ko", name)) != std::string::npos;
}

bool supports_trampoline(uint32_t function_id) {
  if (const MachineRecord* record = recorded_machine()) return record->mechanisms.has_trampoline;
  bpf_attr attributes{};
  attributes.prog_type = BPF_PROG_TYPE_TRACING;
  attributes.expected_attach_type = BPF_TRACE_FENTRY;
  attributes.attach_btf_id = function_id;
  return function_id != 0 && try_load({move_immediate(0, 0), exit_program()}, attributes) == 0;
}

bool is_supported_kernel() {
  bpf_attr attributes{};
  attributes.prog_type = BPF_PROG_TYPE_KPROBE;
  attributes.prog_flags = BPF_F_SLEEPABLE;
  if (try_load({move_immediate(0, 0), exit_program()}, attributes) != EINVAL) return true;
  // Another reason, if the kernel does not load the program without the flag either.
  attributes.prog_flags = 0;
  return try_load({move_immediate(0, 0), exit_program()}, attributes) != 0;
}

bool takes_security_program(uint32_t function_id) {
  if (const MachineRecord* record = recorded_machine()) return record->takes_security_programs;
  if (!may_load_any()) return true;
  bpf_attr attributes{};
  attributes.prog_type = BPF_PROG_TYPE_LSM;
  attributes.expected_attach_type = BPF_LSM_MAC;
  attributes.attach_btf_id = function_id;
  return try_load({move_immediate(0, 0), exit_program()}, attributes) == 0;
}

FunctionMechanisms read_function_mechanisms(uint32_t function_id) {
  if (const MachineRecord* record = recorded_machine()) return record->mechanisms;
  if (!may_load_any()) return {true, true, true};
  FunctionMechanisms mechanisms;
  // The kprobe PMU exists only with CONFIG_KPROBE_EVENTS.
  mechanisms.has_kprobe = ::access("/sys/bus/event_source/devices/kprobe", F_OK) == 0;
  mechanisms.has_multi = has_kprobe_multi();
  mechanisms.has_trampoline = supports_trampoline(function_id);
  return mechanisms;
}

}  // namespace dscope
