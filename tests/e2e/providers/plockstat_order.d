/* A waiter's block probes fire before its acquire probe, whatever the order of the clauses. A failed unlock
   fires no release probe.
 @@command: %T/locks */
#pragma D option quiet
inline int is_own[uintptr_t lock] = lock < 0x10000000;

BEGIN { self->blocked = 0; }
plockstat$target:::mutex-acquire /is_own[arg0] && self->blocked/ { @["acquired behind"] = count(); self->blocked = 0; }
plockstat$target:::mutex-blocked /is_own[arg0] && arg1/ { self->blocked = 1; }
plockstat$target:::mutex-release /is_own[arg0]/ { @["released"] = count(); }
END { printa("%s %@d\n", @); }
