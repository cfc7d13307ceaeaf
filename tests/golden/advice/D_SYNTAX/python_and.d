BEGIN { x = pid == 1 and 1; }
