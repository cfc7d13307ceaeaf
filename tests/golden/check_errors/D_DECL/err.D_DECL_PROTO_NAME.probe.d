provider foo {
	probe bar(void v);
};
BEGIN { }
