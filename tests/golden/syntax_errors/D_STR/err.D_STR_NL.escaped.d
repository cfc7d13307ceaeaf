BEGIN { printf("a\
b"); }
