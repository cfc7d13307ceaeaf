/* golden: string */ pid$1:::entry { }
