struct nosuch;
struct nosuch x[3];
BEGIN { }
