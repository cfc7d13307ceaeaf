provider foo {
	probe bar(int a, int a);
};
BEGIN { }
