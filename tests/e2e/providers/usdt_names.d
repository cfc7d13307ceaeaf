/* The fields of the name. Two underscores become a dash.
 @@command: %T/probes 3 */
#pragma D option quiet

shop$target:a.out::closed-early { @[probeprov == strjoin("shop", lltostr($target)), probemod, probefunc, probename] = count(); }
shop$target:probes:sell_*:sale { @[probeprov == strjoin("shop", lltostr($target)), probemod, probefunc, probename] = count(); }
sh*$target:::closed-early { @pattern = count(); }
