BEGIN { trace(1); }
