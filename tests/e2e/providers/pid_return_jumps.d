/* Functions that end in a jump to a library, or return, fire as often as they are entered, in programs with exceptions,
   too.
 @@command: %T/throws */
#pragma D option quiet

pid$target:a.out:by_*:entry, pid$target:a.out:by_*:return { @[probefunc, probename] = count(); }
END { printa("%s %s %@d\n", @); }
