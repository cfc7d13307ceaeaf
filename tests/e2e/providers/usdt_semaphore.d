/* What the program does only if somebody watches.
 @@command: %T/probes 4 */
#pragma D option quiet

shop$target:::watched { @[args[0]] = count(); }
