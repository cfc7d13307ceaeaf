BEGIN { trace(x->); }
