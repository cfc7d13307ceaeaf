BEGIN { @bytes[execname] += arg0; }
