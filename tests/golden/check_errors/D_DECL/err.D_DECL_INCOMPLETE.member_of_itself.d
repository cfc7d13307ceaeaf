struct s {
	struct s m;
};
BEGIN { exit(0); }
