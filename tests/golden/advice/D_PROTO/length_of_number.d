BEGIN { x = strlen(pid); }
