BEGIN { printf(pid); }
