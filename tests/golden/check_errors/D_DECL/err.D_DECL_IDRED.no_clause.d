int a;
char a;
