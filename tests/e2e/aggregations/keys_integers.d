/* Integer keys of every size. */
#pragma D option quiet

BEGIN { @a[(char)-1] = sum(1); @b[(unsigned short)65535] = sum(2); @c[-5] = sum(3); @d[-5l] = sum(4); @e[5ull] = sum(5); @f['a'] = sum(6); @g[(short)-2] = sum(7); exit(0); }
