/* A function of a library that a child loads, called once: the child waits at the load, too.
 @@options: -Z -x follow=fork
 @@command: %T/loads 1 child */
#pragma D option quiet

plug$target:::called { printf("called %d\n", arg0); }
pid$target:libplug*:plugged:entry { printf("entered %d %d\n", arg0, ppid == $target); }
