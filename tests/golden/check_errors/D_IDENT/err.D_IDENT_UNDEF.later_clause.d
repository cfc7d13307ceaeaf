END { trace(x); }
BEGIN { x = 1; }
