/* As in C, a bit-field is an int in operators if that has all its values. Assignments keep its bits and sign. */
#pragma D option quiet
enum e { A, B = -3, C };
struct s {
	int a:3;
	unsigned b:3;
	uint32_t g:31;
	uint32_t w:32;
	unsigned long f:24;
	short h:9;
	enum e en:5;
};
struct s v;
BEGIN
{
	v.a = 5; v.b = 13; v.g = 5; v.w = 5; v.f = -1; v.h = 256; v.en = B;
	printf("%d %d %d %d %x %d %d\n", v.a, v.b, v.g, v.w, v.f, v.h, v.en);
	printf("%d %d %d %d\n", -v.b < 0, ~v.g < 0, ~v.w < 0, v.en < 0);
	printf("%d %d %d\n", -v.b / 2, v.b - 6 < 0, v.g - 6 > 0);
	v.a = 3;
	v.a++;
	v.b -= 7;
	v.h >>= 2;
	printf("%d %d %d %d\n", v.a, v.b, v.h, (v.a = 7));
	exit(0);
}
