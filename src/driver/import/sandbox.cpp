#include "driver/import/sandbox.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
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

// The calls of a program that computes, reads and writes open files, and ends.
constexpr long permitted_calls[] = {
    SYS_read,
    SYS_write,
    SYS_pread64,
    SYS_pwrite64,
    SYS_readv,
    SYS_writev,
    SYS_lseek,
    SYS_fstat,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_brk,
    SYS_close,
    SYS_futex,
    SYS_exit,
    SYS_exit_group,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_getpid,
    SYS_gettid,
    SYS_clock_gettime,
    SYS_getrandom,
    SYS_sched_yield,
    SYS_dup,
    SYS_fcntl,
    SYS_ftruncate,
    SYS_sched_getaffinity,
    SYS_sysinfo,
    SYS_uname,
    SYS_prlimit64,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_nanosleep,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_clock_nanosleep,
};

// A library that opens the files of a directory needs these, for its own libraries, too.
constexpr long opening_calls[] = {
    SYS_newfstatat, SYS_statx, SYS_getdents64, SYS_readlinkat, SYS_faccessat, SYS_getcwd,
#if defined(__x86_64__)
    SYS_stat,       SYS_lstat, SYS_access,     SYS_readlink,
#endif
};

#if defined(__x86_64__)
constexpr uint32_t own_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t own_architecture = AUDIT_ARCH_AARCH64;
#else
#error "name the architecture for seccomp: AUDIT_ARCH_..."
#endif

void permit(std::vector<sock_filter>& filter, long call) {
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

// Permits the call if none of the bits of argument `index` is set that would write or create.
void permit_reading(std::vector<sock_filter>& filter, long call, uint32_t index) {
  constexpr uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  uint32_t offset = static_cast<uint32_t>(offsetof(seccomp_data, args) + index * sizeof(uint64_t));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 4));
  filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, writing, 1, 0));
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
}

Result<> refuse_system_calls(bool opens_files) {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  for (long call : permitted_calls) permit(filter, call);
  if (opens_files) {
    for (long call : opening_calls) permit(filter, call);
    permit_reading(filter, SYS_openat, 2);
#if defined(__x86_64__)
    permit_reading(filter, SYS_open, 1);
#endif
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  sock_fprog program{.len = static_cast<unsigned short>(filter.size()), .filter = filter.data()};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 || errno == EINVAL) return {};  // EINVAL: no seccomp
  return fail(Error::from_errno(errno, "cannot confine the import"));
}

Result<> become_nobody() {
  if (::geteuid() != 0) return {};
  if (::setgroups(0, nullptr) == 0 && ::setresgid(nobody, nobody, nobody) == 0 &&
      ::setresuid(nobody, nobody, nobody) == 0)
    return {};
  // In a user namespace without other users there is nobody else to become.
  if (errno == EINVAL || errno == EPERM) return {};
  return fail(Error::from_errno(errno, "cannot give up the privileges of the import"));
}

void limit(__rlimit_resource resource, uint64_t value) {
  rlimit both{.rlim_cur = value, .rlim_max = value};
  ::setrlimit(resource, &both);
}

}  // namespace

Result<> confine_import(const ImportLimits& limits) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_AS, limits.memory);
  limit(RLIMIT_FSIZE, limits.written);
  if (!limits.opens_files) {
    DS_TRY_VOID(become_nobody());
  }
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct none[2] = {};
  if (::syscall(SYS_capset, &header, none) != 0 || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return fail(Error::from_errno(errno, "cannot give up the capabilities of the import"));
  ::prctl(PR_SET_DUMPABLE, 0);
  return refuse_system_calls(limits.opens_files);
}

}  // namespace dscope
