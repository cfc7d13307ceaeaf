struct nosuch;
inline struct nosuch x = 0;
BEGIN { exit(0); }
