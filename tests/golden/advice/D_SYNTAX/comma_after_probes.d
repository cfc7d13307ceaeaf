BEGIN, END, { trace(1); }
