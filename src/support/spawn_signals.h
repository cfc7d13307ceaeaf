// The signals that dscope ignores, as the write that fails says the same, and what programs that we start must not
// inherit: that we ignore those (`yes | head -1` would complain), and the signals that we have blocked.
#pragma once

#include <signal.h>
#include <spawn.h>

namespace dscope {

inline constexpr int ignored_signals[] = {SIGPIPE, SIGXFSZ};  // a closed pipe; a file as large as `ulimit -f` permits

// Sets both, and with them the flags; `more_flags`: POSIX_SPAWN_SETPGROUP, for example.
inline void set_default_signals(posix_spawnattr_t& attributes, int more_flags = 0) {
  sigset_t to_default, blocked;
  ::sigemptyset(&to_default);
  for (int signal : ignored_signals) ::sigaddset(&to_default, signal);
  ::sigemptyset(&blocked);
  ::posix_spawnattr_setsigdefault(&attributes, &to_default);
  ::posix_spawnattr_setsigmask(&attributes, &blocked);
  ::posix_spawnattr_setflags(&attributes,
                             static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | more_flags));
}

}  // namespace dscope
