/* The module under each of its names, patterns, a static function, the fields of the probe's name.
 @@command: %T/functions 1 */
#pragma D option quiet

pid$target:a.out:hidden:entry { @["a.out", probemod, probefunc, probename, probeprov == strjoin("pid", lltostr($target))] = count(); }
pid$target:functions:hid*:entry { @["functions", probemod, probefunc, probename, 1] = count(); }
pid$target:libc:getppid:entry { @["libc", probemod, probefunc, probename, 1] = count(); }
pid$target:libc.so:getppid:entry { @["libc.so", probemod, probefunc, probename, 1] = count(); }
pid$target:libc.so.6:getppid:entry { @["libc.so.6", probemod, probefunc, probename, 1] = count(); }
pid$target::negative:entry { @["any", probemod, probefunc, probename, 1] = count(); }
