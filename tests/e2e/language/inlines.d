/* Inline constants, aliases, expressions and parameterized inlines. */
#pragma D option quiet

inline int TEN = 10;
inline int TWELVE = TEN + 2;
inline string GREETING = "hello";
int x;
inline int twice = x * 2;
inline int alias = x;
inline int plus[int a, int b] = a + b;
inline string pick[int n] = n == 0 ? "zero" : "other";
inline char narrow = (char)300;
int arr[int];

BEGIN {
  printf("%d %s %d\n", TEN, GREETING, TWELVE);
  x = 3; printf("%d\n", twice); x = 4; printf("%d\n", twice);
  alias = 9; printf("%d %d\n", x, alias);
  printf("%d %d\n", plus[1, 2], plus[x, TEN]);
  printf("%s\n", pick[0]);
  printf("%d\n", arr[TEN]);
  printf("%d %d\n", narrow, sizeof(narrow));
  exit(0);
}
