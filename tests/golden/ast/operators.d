BEGIN
{
	x = a + b * c - d / e % f;
	x = a << 1 | b >> 2 & c ^ d;
	x = a < b == c >= d != e <= f > g;
	x = a && b || c ^^ d;
	x = a ? b : c ? d, e : f;
	x += 1; x -= 1; x *= 2; x /= 2; x %= 3; x &= 1; x ^= 1; x |= 1; x <<= 1; x >>= 1;
	x = y = z = 0, w = 1;
	++x; --x; x++; x--;
	x = - -y + + +y - -(-y) + !~*&y;
	x = &`kernel_symbol == &*y;
	(x) = ((y));
	*p = 1;
	x = "abc"[1] + 'a' + 'ab' + '\n' + '\'';
	x = - --y;
	x = a & &b;
}
