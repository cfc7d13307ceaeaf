#include "driver/web/sandbox.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <iterator>
#include <vector>

namespace dscope {

namespace {

constexpr uid_t nobody = 65534;

// System calls by which a process that has been taken over could reach something. Neither serving nor pushing metrics
// needs them.
constexpr long refused_calls[] = {
    SYS_execve,         SYS_execveat,
    SYS_bind,           SYS_listen,
    SYS_ptrace,         SYS_bpf,
    SYS_mount,          SYS_perf_event_open,
    SYS_unshare,        SYS_setns,
    SYS_keyctl,         SYS_process_vm_readv,
    SYS_add_key,        SYS_process_vm_writev,
    SYS_init_module,    SYS_finit_module,
    SYS_kill,           SYS_tkill,
    SYS_unlinkat,       SYS_renameat2,
    SYS_linkat,         SYS_symlinkat,
    SYS_mkdirat,        SYS_pidfd_open,
    SYS_fchmodat,       SYS_fchownat,
    SYS_io_uring_setup, SYS_memfd_create,
    SYS_chroot,         SYS_userfaultfd,
#if defined(__x86_64__)
    SYS_fork,           SYS_vfork,
    SYS_rename,         SYS_link,
    SYS_symlink,        SYS_mkdir,
    SYS_chmod,          SYS_chown,
    SYS_creat,          SYS_unlink,
#endif
};

// Serving does not need these either: its descriptors are open.
constexpr long refused_to_servers[] = {SYS_clone, SYS_clone3, SYS_socket, SYS_connect};

// Calls that open files, and the argument with the flags; -1: it is in memory, where a filter cannot look.
struct OpeningCall {
  long number;
  int flags_argument;
};
constexpr OpeningCall opening_calls[] = {
    {SYS_openat, 2},
    {SYS_openat2, -1},
#if defined(__x86_64__)
    {SYS_open, 1},
#endif
};

#if defined(__x86_64__)
constexpr uint32_t own_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t own_architecture = AUDIT_ARCH_AARCH64;
#else
#error "name the architecture for seccomp: AUDIT_ARCH_..."
#endif

constexpr sock_filter refuse = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);

// A client may read files: certificates, names of hosts.
void limit_opening(std::vector<sock_filter>& filter, const OpeningCall& call, bool may_read) {
  auto number = static_cast<uint32_t>(call.number);
  if (!may_read || call.flags_argument < 0) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    filter.push_back(refuse);
    return;
  }
  auto flags = static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * static_cast<size_t>(call.flags_argument));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4));
  filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, flags));  // the low half: both processors are little-endian
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1));
  filter.push_back(refuse);
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

Result<> refuse_system_calls(bool is_server) {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  std::vector<long> calls(std::begin(refused_calls), std::end(refused_calls));
  if (is_server) calls.insert(calls.end(), std::begin(refused_to_servers), std::end(refused_to_servers));
  for (long call : calls) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
    filter.push_back(refuse);
  }
  for (const OpeningCall& call : opening_calls) limit_opening(filter, call, /*may_read=*/!is_server);
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog program{.len = static_cast<unsigned short>(filter.size()), .filter = filter.data()};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 || errno == EINVAL) return {};  // EINVAL: no seccomp
  return fail(Error::from_errno(errno, "cannot confine the web server"));
}

Result<> become_nobody() {
  if (::geteuid() != 0) return {};
  if (::setgroups(0, nullptr) == 0 && ::setresgid(nobody, nobody, nobody) == 0 &&
      ::setresuid(nobody, nobody, nobody) == 0)
    return {};
  return fail(Error::from_errno(errno, "cannot give up the privileges of the web server"));
}

Result<> confine(bool is_server) {
  pid_t parent = ::getppid();
  DS_TRY_VOID(become_nobody());
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct none[2] = {};
  if (::syscall(SYS_capset, &header, none) != 0 || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return fail(Error::from_errno(errno, "cannot give up the capabilities of the web server"));
  // A change of the user has cleared it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_DUMPABLE, 0);
  if (::getppid() != parent) ::_exit(1);
  rlimit zero{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &zero);  // not the size of files: standard error may be one
  if (is_server) ::setrlimit(RLIMIT_NPROC, &zero);
  (void)::chdir("/");
  return refuse_system_calls(is_server);
}

// Sets the effective capabilities to all that are permitted, or to none.
void set_effective(bool is_on) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct data[2] = {};
  if (::syscall(SYS_capget, &header, data) != 0) return;
  for (__user_cap_data_struct& each : data) each.effective = is_on ? each.permitted : 0;
  ::syscall(SYS_capset, &header, data);
}

}  // namespace

Result<> enter_sandbox() { return confine(/*is_server=*/true); }
Result<> enter_client_sandbox() { return confine(/*is_server=*/false); }

void lower_capabilities() { set_effective(false); }
void restore_capabilities() { set_effective(true); }

}  // namespace dscope
