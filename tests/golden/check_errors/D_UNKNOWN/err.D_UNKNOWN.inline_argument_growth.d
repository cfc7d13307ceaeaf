inline int twice[int n] = n + n;
BEGIN
{
	trace(twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[twice[pid]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]);
}
