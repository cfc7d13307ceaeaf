/* golden: string */ BEGIN { trace(execnam); }
