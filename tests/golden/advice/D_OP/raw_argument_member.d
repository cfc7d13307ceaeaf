BEGIN { trace(arg0->b_bcount); }
