BEGIN { printf(done); }
