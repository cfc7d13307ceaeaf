BEGIN /execname == bash/ { }
