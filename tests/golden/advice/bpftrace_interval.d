interval:s:1 { }
