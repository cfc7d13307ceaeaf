BEGIN { trace(PID); }
