BEGIN { printf("%d\n", curthread); }
