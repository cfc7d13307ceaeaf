# Direct reads from a loop device: each request has its size, at its end too, and its device.
# Whether the reader waits depends on timing, so only the existence of the wait probes is tested.
insmod /lib/loop.ko
dd if=/dev/zero of=/tmp/disk bs=1M count=1 status=none && losetup /dev/loop0 /tmp/disk
dscope -qn 'int started, ended, bytes, back;
  io:::start /args[1]->dev_statname == "loop0"/ { started++; bytes += args[0]->b_bcount; mine[arg0] = 1; }
  io:::done /mine[arg0]/ { ended++; back += args[0]->b_bcount; mine[arg0] = 0; }
  io:::start /args[1]->dev_statname == "loop0"/ { @[args[1]->dev_name, args[0]->b_flags & B_READ ? "R" : "W"] = count(); }
  sysinfo:::phread /pid == $target/ { @read = sum(arg0); }
  io:::wait-start /pid == $target/ { @waits = count(); }
  END { printf("%d %d %d %d\n", started, ended, bytes, back); printa("%s %s %@d\n", @); printa("%@d\n", @read); trunc(@waits); }' \
  -c 'dd if=/dev/loop0 of=/dev/null bs=64k iflag=direct status=none' 2>&1
dscope -x printform=classic -qn 'io:::start /!n++/ { print(*args[0]); print(*args[1]); print(*args[2]); }' \
  -c 'dd if=/dev/loop0 of=/dev/null bs=64k iflag=direct status=none' 2>&1 | grep -o '([a-z0-9_]*) {\|error.*' | sort -u
