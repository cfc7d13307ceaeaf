/* As loaded_once.d, for a program that the command executes.
 @@options: -x follow=exec
 @@command: /usr/bin/env %T/loads */
#pragma D option quiet

plug$target:::called { printf("called %d\n", arg0); }
pid$target:libplug*:plugged:entry { printf("entered %d\n", arg0); }
pid$target::plugged:return { printf("left %d\n", arg1); }
