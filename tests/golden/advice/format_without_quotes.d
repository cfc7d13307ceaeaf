BEGIN { printf(%s, execname); }
