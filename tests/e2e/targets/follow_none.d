/* Neither children of fork(2) nor those of vfork(2), which run in the target's memory, fire the target's probes.
 @@command: %T/forks */
#pragma D option quiet

pid$target:a.out:worked:entry { @[pid == $target ? "target" : "child", (int)arg0] = count(); }
END { printa("%s %d %@d\n", @); }
