BEGIN { exit(0); }
auto int x;
