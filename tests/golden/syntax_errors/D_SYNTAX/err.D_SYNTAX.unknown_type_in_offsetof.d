BEGIN { trace(offsetof(nosuch_t, x)); }
