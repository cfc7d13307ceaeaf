int struct s x;
BEGIN { }
