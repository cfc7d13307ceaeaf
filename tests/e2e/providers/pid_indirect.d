/* strlen stands for code that chooses one of several for this CPU: probed is the one that was chosen.
 @@command: %T/inlined */
#pragma D option quiet

pid$target:libc:strlen:entry { @[probefunc, copyinstr(arg0)] = count(); }
pid$target:libc:strlen:return { @[probefunc, lltostr(arg1)] = count(); }
