BEGIN { trace(zonename); }
