BEGIN { printf("x
"); }
