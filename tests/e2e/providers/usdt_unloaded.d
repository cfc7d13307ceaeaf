/* Static probes of a library that is loaded after the start.
 @@command: %T/loads */
#pragma D option quiet

plug$target:libplugin::called { printf("%s`%s %s(%d)\n", probemod, probefunc, probename, (int)arg0); }
