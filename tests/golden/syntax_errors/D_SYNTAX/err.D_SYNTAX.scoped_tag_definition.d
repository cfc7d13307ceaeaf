struct m`s { int x; };
BEGIN { }
