union u {
	union nosuch x;
};
BEGIN { }
