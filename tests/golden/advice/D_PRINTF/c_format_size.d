BEGIN { printf("%ld\n", pid); }
