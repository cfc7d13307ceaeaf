BEGIN { @a[execname] = count(); @a[execname, pid] = count(); }
