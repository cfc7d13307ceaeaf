function f(x) { return x; }
