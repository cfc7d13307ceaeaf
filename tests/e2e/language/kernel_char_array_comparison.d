/* char arrays of the kernel can be compared with strings directly. */
#pragma D option quiet

BEGIN {
  printf("%d%d\n", curthread->comm == "dscope", curthread->comm != "dscope");
  printf("%d\n", strlen(curthread->comm));
  printf("%s\n", strjoin(curthread->comm, "!"));
  exit(0);
}
