# What is done with names, with what became of it.
cd /tmp
dscope -qn 'fsinfo:::mkdir, fsinfo:::rmdir, fsinfo:::remove, fsinfo:::rename, fsinfo:::symlink /progenyof($target) && args[0]->fi_fs == "tmpfs"/ {
    printf("%s %s %d\n", probename, args[0]->fi_name, args[1]); }
  fsinfo:ext4::mkdir, fsinfo:tmpfs::mkdir /progenyof($target)/ { @[probemod] = count(); }
  END { printa("%s %@d\n", @); }' -c 'sh /vm/names'
# All of them in one clause, whatever they are made of.
dscope -qn 'fsinfo:tmpfs:: /progenyof($target) && (probename == "mkdir" || probename == "write")/ { @[probename, args[0]->fi_fs] = count(); }
  END { printa("%s %s\n", @); }' -c 'sh -c "mkdir /tmp/seen; echo >/tmp/seen/file"'
