/* A pattern matches an indirect function once, under the name that programs call.
 @@command: %T/inlined */
#pragma D option quiet

pid$target:libc:*strlen*:entry { @[probefunc, copyinstr(arg0)] = count(); }
