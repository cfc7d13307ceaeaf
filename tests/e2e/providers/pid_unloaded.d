/* A library that is loaded after the start is probed from its first instruction on.
 @@command: %T/loads */
#pragma D option quiet

pid$target:libplugin:plugged:entry { printf("%s`%s(%d)\n", probemod, probefunc, arg0); }
pid$target:libplugin.so:plugged:return { printf("= %d\n", (int)arg1); }
