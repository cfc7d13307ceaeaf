/* The functions of a program in which the processor spends its time.
 @@options: -x compat=solaris
 @@command: %T/calls spin 200 */
#pragma D option quiet

profile:::profile-1001hz /pid == $target && arg1/ { @pc[umod(arg1)] = count(); samples++; }
END { printf("%d\n", samples > 10); trunc(@pc); }
