/* A pattern for the provider matches the named processes, here that of -c.
 @@command: %T/functions 1 */
#pragma D option quiet

p*d$target:a.out:hidden:entry { printf("%d %s\n", probeprov == strjoin("pid", lltostr($target)), probefunc); }
*$target:a.out:hidden:entry { printf("any provider of the process\n"); }
pid*:functions:negative:return { printf("%s %d\n", probefunc, (int)arg1); }
