char x[134217728];
char y[134217728];
char z[2];
BEGIN { }
