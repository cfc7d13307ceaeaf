/* golden: string */ 0
