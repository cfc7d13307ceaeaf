/* strchr() and strrchr(): the rest from the first or last occurrence, or NULL. */
#pragma D option quiet

BEGIN {
  s = "foobarbaz";
  printf("[%s] [%s] [%s] [%s]\n", strchr(s, 'o'), strrchr(s, 'o'), strchr(s, 'f'), strrchr(s, 'z'));
  printf("%d %d\n", strchr(s, 'q') == NULL, strrchr(s, 'q') == NULL);
  printf("%d\n", strchr("", 'a') == NULL);
  c = 'b'; printf("[%s] [%s]\n", strchr(s, c), strrchr(s, c));
  exit(0);
}
