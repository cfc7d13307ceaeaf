/* Evaluation from left to right: subscripts of arrays, keys, arguments, operands. */
#pragma D option quiet
this int a[5][4];
int b[5][4];
int c[3];
int *p;
int m[int, int];
string s;
BEGIN
{
	i = 0; this->a[++i][++i] = 7; printf("%d", this->a[1][2]);
	i = 0; b[++i][++i] = 8; printf(" %d", b[1][2]);
	i = 0; c[i] = 1; c[1] = 2; c[2] = 3; p = &c[0]; 
	printf(" %d", (p = &c[1])[p == &c[1]]);
	i = 0; m[++i, ++i] = 9; printf(" %d", m[1, 2]);
	i = 0; @[++i, ++i] = count();
	i = 0; s = strjoin(lltostr(++i), lltostr(++i)); printf(" %s", s);
	i = 0; printf(" %d %d %d", ++i, ++i, ++i);
	i = 1; printf(" %d", (i = 5) - i); 
	i = 0; printf(" %d\n", c[++i] * 10 + c[++i]);
	printa("%d %d %@d\n", @);
	exit(0);
}
