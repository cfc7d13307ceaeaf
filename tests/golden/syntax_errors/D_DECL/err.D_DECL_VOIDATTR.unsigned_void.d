unsigned void *x;
BEGIN { }
