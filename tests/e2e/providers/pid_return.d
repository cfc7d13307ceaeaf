/* Return values, and one return per entry.
 @@command: %T/functions 3 */
#pragma D option quiet

pid$target:functions:add_eight:return, pid$target:functions:hidden:return { @[probefunc, arg0 > 0, (int)arg1] = count(); }
pid$target:functions:negative:return { @[probefunc, arg0 > 0, (int)arg1] = count(); }
