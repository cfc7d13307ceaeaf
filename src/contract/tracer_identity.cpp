#include "contract/tracer_identity.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <array>

namespace dscope {

std::optional<uint32_t> TracerIdentity::find(std::string_view name) const {
  if (name == "pid") return pid;
  if (name == "ppid") return ppid;
  if (name == "pgid") return pgid;
  if (name == "sid") return sid;
  if (name == "uid") return uid;
  if (name == "euid") return euid;
  if (name == "gid") return gid;
  if (name == "egid") return egid;
  return std::nullopt;
}

TracerIdentity current_tracer() {
  constexpr size_t task_comm_len = 16;  // of the kernel, with the NUL
  std::array<char, task_comm_len> name{};
  ::prctl(PR_GET_NAME, name.data());
  return {.pid = static_cast<uint32_t>(::getpid()),
          .ppid = static_cast<uint32_t>(::getppid()),
          .pgid = static_cast<uint32_t>(::getpgid(0)),
          .sid = static_cast<uint32_t>(::getsid(0)),
          .uid = ::getuid(),
          .euid = ::geteuid(),
          .gid = ::getgid(),
          .egid = ::getegid(),
          .execname = name.data()};
}

}  // namespace dscope
