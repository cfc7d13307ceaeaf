#include "driver/import/sandbox.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <string_view>
#include <utility>

#include "driver/confine/privileges.h"
#include "driver/confine/syscall_filter.h"

namespace dscope {

namespace {

constexpr std::string_view subject = "import";

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

Result<> refuse_system_calls(bool opens_files) {
  SyscallFilter filter;
  for (long call : permitted_calls) filter.permit(call);
  if (opens_files) {
    for (long call : opening_calls) filter.permit(call);
    filter.permit_reading(SYS_openat, 2);
#if defined(__x86_64__)
    filter.permit_reading(SYS_open, 1);
#endif
  }
  return std::move(filter).refuse_other_calls(subject);
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
    DS_TRY_VOID(become_nobody(subject, WithoutOtherUsers::StaysRoot));
  }
  DS_TRY_VOID(give_up_capabilities(subject));
  ::prctl(PR_SET_DUMPABLE, 0);
  return refuse_system_calls(limits.opens_files);
}

}  // namespace dscope
