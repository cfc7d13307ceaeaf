/* Pointers to scratch memory that are kept in scratch memory. */
#pragma D option quiet

struct node { struct node *next; int value; } *list, *last, *at;
struct pair { struct node *first; } kept;

BEGIN {
  list = (struct node *)alloca(sizeof(struct node));
  last = (struct node *)alloca(sizeof(struct node));
  last->next = NULL;
  last->value = 2;
  list->next = last;
  list->value = 1;
  printf("%d %d", list->value, list->next->value);
  list->next->value = 3;
  at = list;
  at = at->next;
  printf(" %d %s", at->value, at->next == NULL ? "end" : "more");
  this->pair = (struct pair *)alloca(sizeof(struct pair));
  this->pair->first = last;
  kept = *this->pair;
  printf(" %d", kept.first->value);

  this->names = (char **)alloca(2 * sizeof(char *));
  this->names[0] = (char *)alloca(8);
  bcopy("abc", this->names[0], 4);
  printf(" %s %c\n", stringof(this->names[0]), this->names[0][2]);
}

/* Stores to memory other than scratch fault. Loads from kernel memory work. */
BEGIN {
  this->tasks = (struct task_struct **)alloca(sizeof(struct task_struct *));
  this->tasks[0] = curthread;
  printf("%d\n", this->tasks[0]->pid == tid);
}

BEGIN {
  list = (struct node *)alloca(sizeof(struct node));
  list->next = (struct node *)8;
  list->next->value = 1;
}

ERROR {
  printf("fault %d\n", arg4);
  exit(0);
}
