BEGIN { printf("%b", pid); }
