BEGIN { trace(PIDTYPE_PID); }
