/* A target that executes other programs: descriptions of its probes apply to each of them. The first
 * two programs, env, lack this function.
 @@options: -x follow=exec
 @@command: /usr/bin/env env %T/forks */
#pragma D option quiet

pid$target:a.out:worked:entry { printf("%s`%s %s %d\n", probemod, probefunc, probename, (int)arg0); }
pid$target:forks:wor*:return { @[probefunc, probename] = sum(arg1); }
pid$target:a.out:[mw]*:entry { @functions[probemod, probefunc] = count(); }
END { printa("%s`%s %@d\n", @functions); printa("%s %s %@d\n", @); }
