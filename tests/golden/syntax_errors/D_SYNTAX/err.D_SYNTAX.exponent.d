BEGIN { trace(1e3); }
