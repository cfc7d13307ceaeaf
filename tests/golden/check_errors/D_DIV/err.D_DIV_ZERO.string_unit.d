/* golden: string */ BEGIN { trace(1 / 0); }
