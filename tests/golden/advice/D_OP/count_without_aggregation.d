BEGIN { a[pid] = count(); }
