/* An inline that a definition names several times is evaluated once, but again in another branch. */
#pragma D option quiet

inline struct task_struct *parent[struct task_struct *t] = t->real_parent;
inline int same[struct task_struct *t] = parent[parent[t]] == parent[parent[t]]->group_leader->real_parent ? 0 :
    parent[parent[t]]->tgid == parent[parent[t]]->group_leader->tgid;

BEGIN
{
	printf("%d %d\n", same[curthread], same[curthread] + same[curthread]);
	x = $pid == 0 ? same[curthread] : 5;
	printf("%d %d\n", x, same[curthread]);
	exit(0);
}
