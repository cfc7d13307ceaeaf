#include "driver/web/sandbox.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string_view>
#include <utility>

#include "driver/confine/privileges.h"
#include "driver/confine/syscall_filter.h"

namespace dscope {

namespace {

constexpr std::string_view subject = "web server";

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

Result<> refuse_system_calls(bool is_server) {
  SyscallFilter filter;
  for (long call : refused_calls) filter.refuse(call);
  if (is_server)
    for (long call : refused_to_servers) filter.refuse(call);
  for (const OpeningCall& call : opening_calls) {
    // A client may read files: certificates, names of hosts.
    if (is_server || call.flags_argument < 0) filter.refuse(call.number);
    else filter.permit_reading(call.number, static_cast<size_t>(call.flags_argument));
  }
  return std::move(filter).permit_other_calls(subject);
}

Result<> confine(bool is_server) {
  pid_t parent = ::getppid();
  DS_TRY_VOID(become_nobody(subject, WithoutOtherUsers::IsAnError));
  DS_TRY_VOID(give_up_capabilities(subject));
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

}  // namespace

Result<> enter_sandbox() { return confine(/*is_server=*/true); }
Result<> enter_client_sandbox() { return confine(/*is_server=*/false); }

}  // namespace dscope
