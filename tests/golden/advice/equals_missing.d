BEGIN { @[execname] count(); }
