struct s {
	struct nosuch m;
};
BEGIN { exit(0); }
