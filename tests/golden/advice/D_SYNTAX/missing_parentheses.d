BEGIN { trace 1; }
