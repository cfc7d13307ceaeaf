/* golden: string */ BEGIN /nosuch/ { trace(1); }
