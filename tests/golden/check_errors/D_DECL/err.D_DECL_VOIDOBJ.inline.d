inline void x = 1;
BEGIN { }
