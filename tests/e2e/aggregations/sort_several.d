/* @@options: -x aggsortpos=1 -x aggsortkeypos=1
 * Several aggregations in one printa() sort by the second aggregation, then the third and the first, then by the keys
 * from the second key on. setopt() changes the order during the run. */
#pragma D option quiet

BEGIN
{
	@a[1, "b"] = sum(1);
	@a[2, "a"] = sum(1);
	@a[3, "c"] = sum(0);
	@a[4, "a"] = sum(1);
	@b[1, "b"] = sum(5);
	@b[2, "a"] = sum(5);
	@b[3, "c"] = sum(5);
	@b[4, "a"] = sum(-5);
	@c[2, "a"] = max(-7);
}
BEGIN { printa("%d %s %@d %@d %@d\n", @a, @b, @c); }
BEGIN { printf("-\n"); setopt("aggsortrev"); printa("%d %s %@d %@d %@d\n", @a, @b, @c); }
BEGIN { printf("-\n"); setopt("aggsortkey"); printa("%d %s %@d\n", @a); }
BEGIN { printf("-\n"); setopt("aggsortrev", ""); setopt("aggsortkeypos", "9"); printa("%d %s %@d\n", @a); }
BEGIN { printf("-\n"); setopt("aggsortkey", "no"); setopt("aggsortpos", "7"); printa("%d %s %@d %@d\n", @a, @b); }
BEGIN { exit(0); }
