struct s {
	int *x : 3;
};
BEGIN { }
