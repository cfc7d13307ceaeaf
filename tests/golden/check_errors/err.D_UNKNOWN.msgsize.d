BEGIN { trace(msgsize(NULL)); }
