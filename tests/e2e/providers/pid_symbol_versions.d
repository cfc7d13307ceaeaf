/* Functions of one name: glibc has two versions of each, for old and new programs. The probe is at both.
 @@command: %T/locks condition */
#pragma D option quiet

pid$target:libc:pthread_cond_wait:entry, pid$target:libc:pthread_cond_timed*:entry { @[probefunc, probename] = count(); }
pid$target:libc:pthread_cond_wait:return { @[probefunc, probename] = count(); }
