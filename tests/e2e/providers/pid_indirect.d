/* strlen is an indirect function that selects an implementation for this CPU: the selected one is probed.
 @@command: %T/inlined */
#pragma D option quiet

pid$target:libc:strlen:entry { @[probefunc, copyinstr(arg0)] = count(); }
pid$target:libc:strlen:return { @[probefunc, lltostr(arg1)] = count(); }
