BEGIN /pid = 1/ { }
