BEGIN { };
END { }
