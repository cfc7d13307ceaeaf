/* Operations on files. The module is the type of the file system.
 @@command: %T/calls write 10 */
#pragma D option quiet

fsinfo:::write /pid == $target/ { @[probename, args[0]->fi_pathname, args[0]->fi_fs] = sum(args[1]); }
fsinfo:devtmpfs::write /pid == $target/ { @one[probemod, probename] = count(); }
fsinfo:ext4::write, fsinfo:nofs::write /pid == $target/ { never++; }
fsinfo:::open /pid == $target && args[0]->fi_name == "null"/ { @opened[args[0]->fi_oflags & O_ACCMODE] = count(); }
