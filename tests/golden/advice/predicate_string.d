BEGIN /execname/ { }
