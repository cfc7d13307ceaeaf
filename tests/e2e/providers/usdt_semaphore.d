/* Code that the program runs only if its probe is traced.
 @@command: %T/probes 4 */
#pragma D option quiet

shop$target:::watched { @[args[0]] = count(); }
