END { trace(total); }
BEGIN { total = 1; }
