/* Libraries that a child loads during the run, although no description names them.
 @@options: -Z -x follow=fork
 @@command: %T/loads 500 child */
#pragma D option quiet

plug$target:::called { called = arg0; }
pid$target:libplug*:plugged:entry { entered = arg0; is_child = ppid == $target; }
tick-10ms /called && entered/ { printf("%d %d %d\n", called, entered, is_child); exit(0); }
