/* The function itself is the first frame, and the registers are those at the probe.
 @@command: %T/functions 1 */
#pragma D option quiet

pid$target:a.out:hidden:entry { ustack(1); printf("%d %d", uregs[R_RDI] == arg0, arg0); }
