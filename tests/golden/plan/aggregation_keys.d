/* String keys have their maximum length, not strsize. Probe names are numbers. */
#pragma D option ustackunwind=fp
syscall::openat:entry { @[execname, copyinstr(arg1), probefunc, "constant", pid, (char)arg2] = count(); }
profile-97 { @stacks[stack(), execname] = count(); @users[ustack(5)] = count(); @where[sym(arg0), umod(arg1)] = sum(1); }
syscall::openat:return { @where[mod(arg0), umod(arg1)] = sum(1); @users[ustack(9)] = count(); }
