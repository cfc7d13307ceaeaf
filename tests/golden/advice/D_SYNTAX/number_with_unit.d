BEGIN { x = 10k; }
