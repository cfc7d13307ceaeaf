self void x;
BEGIN { }
