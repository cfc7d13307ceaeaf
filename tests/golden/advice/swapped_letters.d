BEGIN { trace(exceanme); }
