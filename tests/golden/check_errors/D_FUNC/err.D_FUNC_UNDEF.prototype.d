int fact(int);
BEGIN { trace(fact(1)); }
