/* Module patterns match file system types, not the generic module name.
 @@command: dd if=/proc/version of=/dev/null status=none */
#pragma D option quiet

fsinfo:pro*::read /pid == $target/ { @[probemod, args[0]->fi_fs] = max(1); }
fsinfo:??sfs::read /pid == $target/ { @["never", probemod] = max(1); }
