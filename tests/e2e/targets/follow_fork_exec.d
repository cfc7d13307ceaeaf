/* Children, programs that they execute, and their children: timeout runs the program in a child.
 @@options: -x follow=fork,exec
 @@command: /usr/bin/timeout 50 %T/forks */
#pragma D option quiet

pid$target:a.out:worked:entry { @[probemod, pid == $target ? "target" : "child", (int)arg0] = count(); }
END { printa("%s %s %d %@d\n", @); }
