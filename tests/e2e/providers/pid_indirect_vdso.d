/* The C library selects time() in the kernel's vDSO, which cannot be probed.
 @@command: %T/imports */
pid$target:libc.so.6:time:entry { @ = count(); }
