provider syscall {
	probe read(int);
};
