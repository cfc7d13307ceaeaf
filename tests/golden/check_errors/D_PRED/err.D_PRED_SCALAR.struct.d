struct s {
	int x;
} s;
BEGIN
/s/
{ }
