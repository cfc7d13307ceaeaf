long struct s *x;
BEGIN { }
