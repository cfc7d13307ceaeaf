/* A process that executes the same program repeatedly has its probes once.
 @@options: -x follow=exec
 @@command: %T/repeats 4 */
#pragma D option quiet

pid$target:a.out:worked:entry { @["worked"] = count(); }
pid$target:libc.so.6:getppid:entry { @["getppid"] = count(); }
END { printa("%s %@d\n", @); }
