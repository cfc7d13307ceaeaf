/* profile-N fires on the CPU that is busy. arg1 is the user pc, arg0 the kernel pc, and one of them is 0.
 @@command: %T/calls spin 300 */
#pragma D option quiet

profile-997 /pid == $target/ { @[(arg0 != 0) + (arg1 != 0)] = max(1); n++; }
profile-499hz, profile-2ms, profile-1999us /pid == $target/ { @all = max(1); }
END { printf("%d\n", n > 20); }
