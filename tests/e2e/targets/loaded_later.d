/* Libraries loaded during the run, although no description names them: static probes of any object, functions
 * of objects that match a pattern.
 @@options: -Z
 @@command: %T/loads 30000 */
#pragma D option quiet

plug$target:::called { called = arg0; }
pid$target:libplug*:plugged:entry { entered = arg0; }
pid$target::plugged:return { left = arg1; }
tick-10ms /called && entered && left/ { printf("%d %d %d\n", called, entered, left); exit(0); }
