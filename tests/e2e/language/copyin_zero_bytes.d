/* copyin() of 0 bytes is an empty string.
 @@command: printf abcdefgh */
#pragma D option quiet

syscall::write:entry /pid == $target/ { printf("[%s] [%s]\n", stringof(copyin(arg1, 0)), stringof(copyin(arg1, 8))); }
