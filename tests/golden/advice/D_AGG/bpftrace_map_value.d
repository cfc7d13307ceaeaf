BEGIN { @start = timestamp; }
