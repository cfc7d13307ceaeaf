/* golden: string */ BEGIN { trace(nosuch); }
