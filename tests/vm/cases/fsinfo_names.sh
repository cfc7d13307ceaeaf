# Operations on names, with their results.
cd /tmp
dscope -qn 'fsinfo:::mkdir, fsinfo:::rmdir, fsinfo:::remove, fsinfo:::rename, fsinfo:::symlink /progenyof($target) && args[0]->fi_fs == "tmpfs"/ {
    printf("%s %s %d\n", probename, args[0]->fi_name, args[1]); }
  fsinfo:ext4::mkdir, fsinfo:tmpfs::mkdir /progenyof($target)/ { @[probemod] = count(); }
  END { printa("%s %@d\n", @); }' -c 'sh /vm/names'
# All such probes in one clause, whatever hooks they use.
dscope -qn 'fsinfo::: /progenyof($target) && args[0]->fi_fs == "tmpfs" && (probename == "mkdir" || probename == "rmdir")/ {
    @[probename, args[0]->fi_name != "<none>"] = count(); }
  END { printa("%s %d %@d\n", @); }' -c 'sh /vm/names'
