int x["a"];
BEGIN { }
