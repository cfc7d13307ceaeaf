// dscope ignores signals about failed writes, because write() reports the same error. Programs that it starts must not
// inherit the ignored signals (`yes | head -1` would complain) or the blocked ones.
#pragma once

#include <signal.h>
#include <spawn.h>

namespace dscope {

inline constexpr int ignored_signals[] = {SIGPIPE, SIGXFSZ};  // a closed pipe; a file that exceeds `ulimit -f`

// Sets the default signals, the signal mask, and their flags. `more_flags`: other flags, such as POSIX_SPAWN_SETPGROUP.
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
