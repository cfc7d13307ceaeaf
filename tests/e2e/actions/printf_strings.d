/* String conversions: width, precision, %S, the quirk of precision 0. */
#pragma D option quiet

BEGIN {
  s = "hello";
  printf("[%s] [%8s] [%-8s] [%.3s] [%8.2s]\n", s, s, s, s, s);
  printf("[%.0s] [%*s] [%-*s] [%.*s]\n", s, 7, s, 7, s, 2, s);
  printf("[%s] [%s]\n", "", strjoin(s, "!"));
  printf("[%S]\n", "a\"b\\c\n\t\177");
  printf("[%s] [%s]\n", stringof(curthread->comm), curthread->comm);
  printf("plain\n");
  exit(0);
}
