/* Children of the target with -x follow=fork: only the descendants of the program's own child call worked().
 @@options: -x follow=fork
 @@command: %T/forks */
#pragma D option quiet

pid$target:a.out:worked:entry { @[pid == $target ? "target" : "child", (int)arg0] = count(); }
END { printa("%s %d %@d\n", @); }
