struct a { int x; } u;
struct b { int x; } v;
BEGIN { u = v; }
