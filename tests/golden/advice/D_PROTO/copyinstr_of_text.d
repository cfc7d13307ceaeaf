BEGIN { trace(copyinstr("abc")); }
