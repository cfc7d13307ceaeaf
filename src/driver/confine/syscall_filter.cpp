#include "driver/confine/syscall_filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <cerrno>

namespace dscope {

namespace {

#if defined(__x86_64__)
constexpr uint32_t own_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t own_architecture = AUDIT_ARCH_AARCH64;
#else
#error "name the architecture for seccomp: AUDIT_ARCH_..."
#endif

constexpr sock_filter permit_decision = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
constexpr sock_filter refuse_decision = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);

}  // namespace

SyscallFilter::SyscallFilter()
    : filter_{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
              BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 1, 0),
              BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
              BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))} {}

void SyscallFilter::append_decision(long call, const sock_filter& decision) {
  filter_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
  filter_.push_back(decision);
}

void SyscallFilter::permit(long call) { append_decision(call, permit_decision); }

void SyscallFilter::refuse(long call) { append_decision(call, refuse_decision); }

void SyscallFilter::permit_reading(long call, size_t flags_argument) {
  constexpr uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  auto flags = static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * flags_argument);
  filter_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 4));
  filter_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, flags));  // the low half: both processors are little-endian
  filter_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, writing, 0, 1));
  filter_.push_back(refuse_decision);
  filter_.push_back(permit_decision);
}

Result<> SyscallFilter::permit_other_calls(std::string_view subject) && { return install(permit_decision, subject); }

Result<> SyscallFilter::refuse_other_calls(std::string_view subject) && { return install(refuse_decision, subject); }

Result<> SyscallFilter::install(const sock_filter& decision, std::string_view subject) {
  filter_.push_back(decision);
  sock_fprog program{.len = static_cast<unsigned short>(filter_.size()), .filter = filter_.data()};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 || errno == EINVAL) return {};  // EINVAL: no seccomp
  return fail(Error::from_errno(errno, "cannot confine the {}", subject));
}

}  // namespace dscope
