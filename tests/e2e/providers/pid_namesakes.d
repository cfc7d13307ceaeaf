/* Functions of one name: glibc has two of each, for programs of different age. The probe is at both.
 @@command: %T/locks condition */
#pragma D option quiet

pid$target:libc:pthread_cond_wait:entry, pid$target:libc:pthread_cond_timed*:entry { @[probefunc, probename] = count(); }
pid$target:libc:pthread_cond_wait:return { @[probefunc, probename] = count(); }
