enum e {
	A = "a"
};
BEGIN { }
