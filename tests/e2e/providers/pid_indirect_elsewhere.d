/* The kernel's own time() is what the C library chooses: nothing can be probed there.
 @@command: %T/imports */
pid$target:libc.so.6:time:entry { @ = count(); }
