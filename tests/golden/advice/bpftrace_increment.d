BEGIN { @reads[execname]++; }
