/* Probes of functions that start with vector instructions: they fire with their arguments, and the functions' results
 * do not change.
 @@command: %T/vectors */
#pragma D option quiet

pid$target:a.out:first_*:entry { @calls["first", arg0] = count(); }
pid$target:libc:strchr:entry, pid$target:libc:strrchr:entry, pid$target:libc:memchr:entry
/copyinstr(arg0) == "a/b/c"/
{ @calls[probefunc, arg1] = count(); }
