struct s {
	float x : 3;
};
BEGIN { }
