# A thread-local variable between entry and return.
dscope -qn 'fbt::vfs_read:entry /pid == $target && arg2 == 9/ { self->t = timestamp; }
  fbt::vfs_read:return /self->t/ { @ = count(); @late = max(timestamp - self->t > 0 && timestamp - self->t < 10000000000); self->t = 0; }
  END { printa("%@d\n", @); printa("%@d\n", @late); }' -c 'dd if=/dev/zero of=/dev/null bs=9 count=5 status=none'
