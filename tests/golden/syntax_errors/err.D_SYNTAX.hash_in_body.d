BEGIN { trace(#); }
