BEGIN { trace((nosuch_t *)arg0); }
