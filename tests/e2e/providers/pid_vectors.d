/* Probes of functions that begin with vector instructions: they fire, with their arguments, and what the functions do
 * does not change.
 @@command: %T/vectors */
#pragma D option quiet

pid$target:a.out:first_*:entry { @calls["first", arg0] = count(); }
pid$target:libc:strchr:entry, pid$target:libc:strrchr:entry, pid$target:libc:memchr:entry
/copyinstr(arg0) == "a/b/c"/
{ @calls[probefunc, arg1] = count(); }
