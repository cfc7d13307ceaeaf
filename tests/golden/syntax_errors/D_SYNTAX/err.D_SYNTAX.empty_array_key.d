BEGIN { x[] = 1; }
