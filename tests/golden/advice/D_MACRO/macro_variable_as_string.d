BEGIN { trace($$USER); }
