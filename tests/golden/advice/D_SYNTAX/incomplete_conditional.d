BEGIN { x = pid == 1 ? 2; }
