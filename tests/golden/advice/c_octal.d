BEGIN { trace(08); }
