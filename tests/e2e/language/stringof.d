/* stringof and (string) convert kernel addresses and arrays to strings. */
#pragma D option quiet

BEGIN {
  printf("%s\n", stringof(curthread->comm));
  printf("%s\n", (string)curthread->comm);
  printf("%s\n", stringof curthread->comm);
  printf("%s\n", stringof(&curthread->comm[1]));
  printf("%s\n", stringof("literal"));
  s = stringof(curthread->comm); printf("%d %d\n", strlen(s), s == execname);
  printf("%d\n", stringof(curthread->comm) == "dscope");
  printf("%s\n", stringof((char *)curthread->comm + 2));
  exit(0);
}
