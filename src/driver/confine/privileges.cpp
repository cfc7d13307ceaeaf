#include "driver/confine/privileges.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace dscope {

namespace {

constexpr uid_t nobody = 65534;

// Sets the effective capabilities to all that are permitted, or to none.
void set_effective(bool is_on) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct data[2] = {};
  if (::syscall(SYS_capget, &header, data) != 0) return;
  for (__user_cap_data_struct& each : data) each.effective = is_on ? each.permitted : 0;
  ::syscall(SYS_capset, &header, data);
}

}  // namespace

Result<> become_nobody(std::string_view subject, WithoutOtherUsers without_others) {
  if (::geteuid() != 0) return {};
  if (::setgroups(0, nullptr) == 0 && ::setresgid(nobody, nobody, nobody) == 0 &&
      ::setresuid(nobody, nobody, nobody) == 0)
    return {};
  if (without_others == WithoutOtherUsers::StaysRoot && (errno == EINVAL || errno == EPERM)) return {};
  return fail(Error::from_errno(errno, "cannot give up the privileges of the {}", subject));
}

Result<> give_up_capabilities(std::string_view subject) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct none[2] = {};
  if (::syscall(SYS_capset, &header, none) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) return {};
  return fail(Error::from_errno(errno, "cannot give up the capabilities of the {}", subject));
}

void lower_capabilities() { set_effective(false); }
void restore_capabilities() { set_effective(true); }

}  // namespace dscope
