/* The clauses of one firing share the state of strtok(). The next firing starts without state. */
#pragma D option quiet
BEGIN { this->first = strtok("a b c", " "); }
BEGIN { printf("%s\n", strtok(NULL, " ")); }
BEGIN /strtok(NULL, " ") == "c"/ { printf("c\n"); exit(0); }
END { printf("%s\n", strtok(NULL, " ")); }
END { printf("%s\n", strtok("new string", " ")); }
END { printf("%s\n", strtok(NULL, " ")); }
