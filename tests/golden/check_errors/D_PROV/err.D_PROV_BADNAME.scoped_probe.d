provider a {
	probe b`c(int);
};
BEGIN { }
