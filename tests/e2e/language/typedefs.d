/* typedefs of scalars, pointers and structs. */
#pragma D option quiet

typedef char byte_t;
typedef struct task_struct *task_p;
typedef struct point { int x; int y; } point_t;
byte_t a; task_p p; point_t s;

BEGIN {
  a = 200; printf("%d\n", a);
  p = curthread; printf("%d\n", p->pid == pid);
  s.x = 3; s.y = 4; printf("%d\n", s.x * s.y);
  printf("%d %d\n", sizeof(byte_t), sizeof(point_t));
  printf("%d\n", (byte_t)0x180);
  exit(0);
}
