BEGIN { trace(msgdsize(NULL)); }
