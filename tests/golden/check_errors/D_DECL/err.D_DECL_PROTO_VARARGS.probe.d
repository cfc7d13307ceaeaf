provider foo {
	probe bar(int, ...);
};
BEGIN { }
