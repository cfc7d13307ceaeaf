BEGIN { }
/* to the end
