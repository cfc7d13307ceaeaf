BEGIN { @reads = count(); @reads; }
