short void *x;
BEGIN { }
