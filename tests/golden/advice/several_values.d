BEGIN { trace(pid, uid); }
