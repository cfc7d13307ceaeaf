/* Translators: members in use, nested and whole objects, pointers to them, inlines, every kind of member. */
#pragma D option quiet

typedef struct stamp {
  long sec;
  long nsec;
} stamp_t;
struct flags {
  unsigned low : 3;
  unsigned high : 5;
};
typedef struct view {
  int x;
  char name[8];
  string text;
  char cut[5];
  stamp_t when;
  struct flags bits;
  unsigned narrow : 4;
  struct task_struct *task;
  struct view *next;
  int missing;
} view_t;

translator stamp_t < uint64_t ns > {
  sec = ns / 1000;
  nsec = ns % 1000;
};
translator struct flags < int i > {
  low = i;
  high = i + 1;
};
translator view_t < struct task_struct *t > {
  x = t->pid;
  name = t->comm;
  text = t->comm;
  cut = strjoin("long", "er");
  when = xlate <stamp_t> ((uint64_t)123456);
  bits = xlate <struct flags> (6);
  narrow = 9;
  task = t;
  next = xlate <view_t *> (t);
};
translator view_t < int i > {
  x = i;
  name = "number";
  next = xlate <view_t *> (i + 1);
};

inline view_t *me = xlate <view_t *> (curthread);
inline view_t self_view = xlate <view_t> (curthread);
inline view_t number[int n] = xlate <view_t> (n);
inline string name_of[struct task_struct *t] = t->comm;
int *unset;

BEGIN
{
  printf("%d %s %s %s\n", me->x == tid, me->name, me->text, me->cut);
  printf("%d.%d %d %d %d\n", me->when.sec, me->when.nsec, me->bits.low, me->bits.high, me->narrow);
  printf("%s %d %d\n", me->next->next->name, me->task == curthread, me->task->tgid == pid);
  printf("%s %d %d\n", name_of[me->task], sizeof(me->name), sizeof(self_view.cut));
  printf("%d %s %d\n", number[4].x, number[pid].name, number[4].next->next->x);
  printf("%c %d\n", me->cut[1], (*me).x == tid);
}

BEGIN
{
  whole = *me;
  self->whole = number[7];
  this->whole = self_view;
  wholes["a"] = xlate <view_t> (8);
  printf("%s %s %s %d.%d\n", whole.name, whole.text, whole.cut, whole.when.sec, whole.when.nsec);
  printf("%d %d %d %d\n", whole.bits.low, whole.bits.high, whole.narrow, whole.task == curthread);
  printf("%d %d\n", whole.missing, whole.next == NULL);
  printf("%d %s %d %s\n", self->whole.x, this->whole.text, wholes["a"].x, wholes["a"].name);
}

/* A constant condition selects one operand: a translated object, too. */
inline int OPT = 1;
inline view_t *chosen = OPT ? xlate <view_t *> (curthread) : 0;
BEGIN
{
  printf("%d %s\n", (OPT ? xlate <view_t *> (curthread) : xlate <view_t *> (unset))->x == tid, chosen->name);
  printf("%d\n", (OPT == 0 ? self_view : number[5]).x);
  chosen_whole = OPT ? number[6] : number[7];
  printf("%d\n", chosen_whole.x);
}

/* A member can fault only where it is used. */
translator view_t < int *p > {
  x = *p;
  text = "not read";
};
BEGIN
{
  printf("%s\n", (xlate <view_t *> (unset))->text);
}
BEGIN
{
  printf("%d\n", (xlate <view_t *> (unset))->x);
}
ERROR
{
  printf("fault %d\n", arg4);
  exit(0);
}
