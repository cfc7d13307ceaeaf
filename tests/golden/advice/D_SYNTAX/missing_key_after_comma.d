BEGIN { @[execname, ] = count(); }
