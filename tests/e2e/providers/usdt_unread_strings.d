/* Strings that the target itself has not read yet, in a probe of all processes.
 @@command: %T/probes 1 */
#pragma D option quiet

sh*:::sale /pid == $target/ { printf("%s\n", copyinstr(arg1)); }
