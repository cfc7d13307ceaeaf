BEGIN { @x[pid] = count(); printa("%d %d\n", @x); }
