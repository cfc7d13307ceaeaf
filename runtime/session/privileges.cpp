// Checks whether this kernel and this process can load tracing programs.
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <optional>

#include "runtime/kernel/machine_facts.h"
#include "runtime/session/session.h"
#include "support/format.h"
#include "support/read_file.h"

namespace dscope {
namespace {

std::optional<uint64_t> effective_capabilities() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct data[2] = {};
  if (::syscall(SYS_capget, &header, data) < 0) return std::nullopt;
  return uint64_t{data[1].effective} << 32 | data[0].effective;
}

// The kernel checks capabilities for BPF in the initial user namespace, whose inode number is PROC_USER_INIT_INO.
bool is_in_first_user_namespace() {
  constexpr ino_t first_namespace = 0xEFFFFFFD;
  struct stat status{};
  return ::stat("/proc/self/ns/user", &status) < 0 || status.st_ino == first_namespace;
}

bool is_locked_down() {
  auto text = read_file("/sys/kernel/security/lockdown");
  return text && text->find("[confidentiality]") != std::string::npos;
}

}  // namespace

std::string why_kernel_is_too_old() {
  if (is_supported_kernel()) return {};
  utsname names{};
  ::uname(&names);
  return fmt::format("Linux {} has no uprobe programs that may sleep: dscope needs Linux 6.0 or later", names.release);
}

std::string why_not_privileged() {
  auto capabilities = effective_capabilities();
  if (!capabilities) return {};  // unknown: loading will report it
  auto has = [&](int number) { return (*capabilities >> number & 1) != 0; };
  bool can_load = has(CAP_BPF) || has(CAP_SYS_ADMIN), can_trace = has(CAP_PERFMON) || has(CAP_SYS_ADMIN);
  if (!can_load && !can_trace) return "this process has neither CAP_BPF and CAP_PERFMON nor CAP_SYS_ADMIN";
  if (!can_load) return "this process has CAP_PERFMON but lacks CAP_BPF";
  if (!can_trace) return "this process has CAP_BPF but lacks CAP_PERFMON";
  if (!is_in_first_user_namespace()) return "capabilities of a user namespace do not allow tracing the kernel";
  if (is_locked_down()) return "kernel lockdown (confidentiality) forbids reading kernel memory";
  return {};
}

}  // namespace dscope
