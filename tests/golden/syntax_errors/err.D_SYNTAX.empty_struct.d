struct s { };
BEGIN { }
