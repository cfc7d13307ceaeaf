struct s {
	int x[0];
};
BEGIN { }
