BEGIN { @[kstack] = count(); }
