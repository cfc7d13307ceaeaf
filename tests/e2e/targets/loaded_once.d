/* Libraries that a command loads while descriptions wait for them: the command waits until the probes are attached, so
 * that even the first call fires.
 @@options: -Z
 @@command: %T/loads */
#pragma D option quiet

plug$target:::called { printf("called %d\n", arg0); }
pid$target:libplug*:plugged:entry { printf("entered %d\n", arg0); }
pid$target::plugged:return { printf("left %d\n", arg1); }
