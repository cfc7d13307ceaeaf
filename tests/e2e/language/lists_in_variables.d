/* Variables that point to one another: objects behind several pointers can be read and assigned. A pointer stored
   there that points to other memory can be read through, but a store through it faults. */
#pragma D option quiet

struct node { struct node *next; int value; int *number; };
struct holder { struct holder *other; struct task_struct *thread; };
struct node nodes[4];
struct node *head, *heads[2];
struct holder first[2], second[2];
self struct node *mine;
int numbers[2];

BEGIN
{
	nodes[0].next = &nodes[1];
	nodes[1].next = &nodes[2];
	nodes[2].next = &nodes[3];
	nodes[1].number = &numbers[1];
	head = heads[1] = self->mine = &nodes[0];
}

BEGIN
{
	head->next->value = 3;
	nodes[0].next->next->value = 4;
	*nodes[0].next->number = 5;
	nodes[0].next->number[-1] = 6;
	this->at = nodes[0].next->next;
	this->at->value++;
	heads[1]->next->value *= 2;
	self->mine->next->next->next->value = 7;
	self->mine->next->next->next->next = head->next;
	printf("%d %d %d %d %d %d\n", nodes[1].value, nodes[2].value, nodes[3].value, numbers[0], numbers[1],
	    head->next->next->next->next->value);
}

BEGIN
{
	first[0].other = &second[0];
	second[0].thread = curthread;
	printf("%d\n", first[0].other->thread->pid == tid);
}

BEGIN
{
	first[0].other->thread->pid = 1;
}

ERROR
{
	printf("fault %d\n", arg4);
	exit(0);
}
