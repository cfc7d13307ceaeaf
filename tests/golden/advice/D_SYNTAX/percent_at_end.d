BEGIN { printf("100%"); }
