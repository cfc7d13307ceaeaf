/* -32: long, size_t and pointers of D have the sizes of a 32-bit program. The kernel's types keep their sizes, and variables hold
   full addresses.
   @@options: -32 -C */
#pragma D option quiet

struct pair { void *p; long l; char c; };

BEGIN
{
  printf("%d %d %d %d\n", sizeof(long), sizeof(unsigned long), sizeof(long long), sizeof(void *));
  printf("%d %d %d %d\n", sizeof(size_t), sizeof(uintptr_t), sizeof(pid_t), sizeof(int64_t));
  printf("%d %d %d\n", sizeof(struct pair), offsetof(struct pair, c), sizeof(string));
  printf("%d %d\n", sizeof(curthread), sizeof(struct list_head));
  printf("%d %d %d\n", sizeof(1L), sizeof(4294967296), sizeof(0x80000000));
  printf("[%?x]\n", 255);
  x = 4294967296;
  printf("%d\n", x);
  p = curthread;
  q = (void *)curthread;
  printf("%d %d\n", p == curthread && p->pid == tid, q == (void *)p);
  this->s = (char *)alloca(8);
  this->s[0] = 'a';
  printf("%c %d\n", this->s[0], &this->s[1] - this->s);
#if defined(__i386) && !defined(__SUNW_D_64) && !defined(__amd64)
  printf("small\n");
#endif
  exit(0);
}
