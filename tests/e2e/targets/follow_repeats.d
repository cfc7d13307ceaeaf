/* A program that is executed many times is probed once, and so are its libraries.
 @@options: -Z -x follow=fork,exec
 @@command: /usr/bin/timeout 50 %T/repeats 4 */
#pragma D option quiet

pid$target:a.out:worked:entry { @["worked"] = count(); }
pid$target:a.out:worked:return { @["returned"] = count(); }
pid$target:libc.so.6:getppid:entry /execname == "repeats"/ { @["getppid"] = count(); }
END { printa("%s %@d\n", @); }
