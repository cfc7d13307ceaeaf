BEGIN { printf("100% done %\n"); }
