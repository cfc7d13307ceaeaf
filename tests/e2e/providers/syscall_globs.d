/* Patterns in every field of a description. A clause runs once per matching description.
 @@command: %T/calls getppid 10 */
#pragma D option quiet

syscall::getp*id:entry /pid == $target/ { @a[probefunc] = count(); }
syscall::getppi?:entry, syscall::getpp[hijk]d:entry, syscall::getppi[!e]:entry /pid == $target/ { @b = count(); }
sys*::getppid:entry, :vmlinux:getppid:entry, ::getppid:entry, sysc*:vm*:*ppid:ent* /pid == $target/ { @c = count(); }
syscall::getppid: /pid == $target/ { @d[probename] = count(); }
syscall:::entry /pid == $target && probefunc == "getppid"/ { @e = count(); }
syscall::: /pid == $target && probefunc == "getppid"/ { @f[probename] = count(); }
