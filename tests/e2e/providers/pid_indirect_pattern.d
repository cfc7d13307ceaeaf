/* A pattern finds code that was chosen for this CPU once, by the name that programs call it.
 @@command: %T/inlined */
#pragma D option quiet

pid$target:libc:*strlen*:entry { @[probefunc, copyinstr(arg0)] = count(); }
