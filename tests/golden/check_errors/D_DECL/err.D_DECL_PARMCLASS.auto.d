int f(auto int x);
BEGIN { }
