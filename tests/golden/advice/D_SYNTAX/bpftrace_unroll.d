BEGIN { unroll(5) { trace(1); } }
