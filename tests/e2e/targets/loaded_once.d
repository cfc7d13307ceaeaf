/* What a command loads while descriptions of it are awaited: it waits until their probes are in place, so that not even
 * the first call is missed.
 @@options: -Z
 @@command: %T/loads */
#pragma D option quiet

plug$target:::called { printf("called %d\n", arg0); }
pid$target:libplug*:plugged:entry { printf("entered %d\n", arg0); }
pid$target::plugged:return { printf("left %d\n", arg1); }
