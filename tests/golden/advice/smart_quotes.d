BEGIN /execname == “bash”/ { }
