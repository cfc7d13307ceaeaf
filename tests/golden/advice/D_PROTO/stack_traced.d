BEGIN { trace(ustack()); }
