struct point { int x, y; unsigned flags:4, kind:3; };
struct point points[4];
struct point *cursor;
union { int i; char c[4]; } both;
typedef struct point point_t;
typedef int (*callback_t)(int, string);
callback_t callback;
string text;
inline int square[int n] = n * n;
inline struct task_struct *me = curthread;

BEGIN
{
	points[1].x = 4;
	points[1].flags |= 3;
	points[2] = points[1];
	cursor = &points[2];
	cursor->y = square[points[1].x + 1];
	cursor++;
	both.i = 'abcd';
	x = both.c[0] + both.c[3];
	text = "abc" + 1;
	y = text[0] == 'b' && text < "zzz" && *text;
	z = (x = 3, x + 1);
	w = x > 2 ? "big" : "small";
	v = (string)(uintptr_t)(char *)curthread->comm == execname;
	u = sizeof(point_t) + sizeof points + offsetof(point_t, y);
	t = -x + ~x - !x;
	s = x << 3 >> 1 & 7 | 1 ^ 2;
	r = x++ + --x;
	x += 1; x -= 1; x *= 2; x /= 2; x %= 7; x &= 3; x |= 4; x ^= 5; x <<= 1; x >>= 1;
	q = me->pid == pid && me->parent != NULL && me->mm == 0;
	p = (void *)me;
	o = *(int *)copyin(arg0, 4);
	n = substr("foobar", 3, -1);
	m = strstr(execname, "x") == NULL ? strrchr(execname, 'x') : lltostr(pid);
	l = htons(1) + ntohl(2) + (uint32_t)htonll(3);
	k = strjoin(strjoin("a", basename(execname)), dirname("/a/b"));
	j = callback == 0 || callback == (callback_t)&`vfs_read;
	i = `jiffies + (unsigned long)&`max_pfn + `init_task.pid;
	h = curthread->fake_type == PIDTYPE_TGID || PIDTYPE_TGID_of_ours;
	g = (int64_t)(char)0xef;
	trace(*curthread);
	trace(curthread->comm);
	trace(curthread->fake_type);
	trace(points);
	stack(5); ustack(); sym((uintptr_t)p); usym(arg0); mod(caller); func(caller); umod(ucaller); uaddr(ucaller);
	exit(0);
}

int PIDTYPE_TGID_of_ours;
