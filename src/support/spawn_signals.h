// What programs that we start must not inherit: that we ignore closed pipes (`yes | head -1` would complain), and the
// signals that we have blocked.
#pragma once

#include <signal.h>
#include <spawn.h>

namespace dscope {

// Sets both, and with them the flags; `more_flags`: POSIX_SPAWN_SETPGROUP, for example.
inline void set_usual_signals(posix_spawnattr_t& attributes, int more_flags = 0) {
  sigset_t to_default, blocked;
  ::sigemptyset(&to_default);
  ::sigaddset(&to_default, SIGPIPE);
  ::sigemptyset(&blocked);
  ::posix_spawnattr_setsigdefault(&attributes, &to_default);
  ::posix_spawnattr_setsigmask(&attributes, &blocked);
  ::posix_spawnattr_setflags(&attributes,
                             static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | more_flags));
}

}  // namespace dscope
