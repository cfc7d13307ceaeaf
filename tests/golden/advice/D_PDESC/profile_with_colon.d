/* golden: string */ profile:97 { trace(1); }
