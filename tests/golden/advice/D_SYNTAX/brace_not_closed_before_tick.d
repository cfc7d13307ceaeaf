BEGIN { if (pid == 1) { trace(1); }
tick-1s /pid == 1/ { trace(2); }
