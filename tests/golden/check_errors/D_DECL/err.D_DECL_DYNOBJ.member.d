struct s {
	int m[int];
};
BEGIN { exit(0); }
