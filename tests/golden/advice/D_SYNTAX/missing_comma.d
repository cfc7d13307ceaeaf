BEGIN { printf("%d %d\n", pid uid); }
