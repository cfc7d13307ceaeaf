# Functions of a module that is loaded during tracing: by name, by pattern, by symbol, their results; with other probes too.
later() {
    dscope -qZ "$@" -c 'sh /vm/loop_again' 2>&1
    while lsmod | grep -q '^loop'; do rmmod loop 2>/dev/null; done
}
later -n 'fbt:loop:lo_ioctl:entry { printf("%s %s %s %s %x", probeprov, probemod, probefunc, probename, arg2); exit(0); }'
later -n 'fbt:lo*p:lo_ioctl:return { printf("%s %d %d", probefunc, arg0, arg1); exit(0); }'
later -n 'rawfbt::lo_ioctl:entry { printf("%s %s", probeprov, probefunc); exit(0); }'
later -n 'fbt::lo_ioctl:entry { self->in = 1; }
  fbt::lo_ioctl: /self->in/ { printf("%s %s\n", probefunc, probename); }
  fbt::lo_ioctl:return /self->in/ { exit(0); }
  fbt::vfs_read:entry { @reads = count(); } END { printa("reads: %@d", @reads); }' | sed 's/: [1-9].*/: some/'
# The types of args[] come from the module's file.
modules=/lib/modules/$(uname -r)
mkdir -p "$modules" && cp /lib/loop.ko "$modules" && echo 'loop.ko:' >"$modules/modules.dep"
later -n 'fbt:loop:lo_ioctl:entry { printf("%s %x", stringof(args[0]->bd_disk->disk_name), args->cmd); exit(0); }'
later -n 'fbt:loop:lo_ioctl:return { printf("%d", args[1]); exit(0); }'
dscope -Zn 'fbt:loop:lo_ioctl:entry { trace(args[7]); }' 2>&1
rm -r "$modules"
ps | grep -c '[l]oop_again' || true
