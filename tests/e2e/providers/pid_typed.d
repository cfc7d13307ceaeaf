/* Argument types from debug information, members behind pointers, and return values.
 @@command: %T/typed */
#pragma D option quiet
#pragma D option printform=classic

pid$target:a.out:find_shape:entry
{
	printf("%s %d, %s %d\n", stringof(args[0]->name), args[0]->width, stringof(args[0]->next->name), args[0]->next->height);
	printf("%d %d %d %c %d %d %u\n", args[1], args[3], args[4], args[5], args[6], args[7], args[8]);
	print(*args[0]->next);
}
pid$target:a.out:find_shape:return { printf("returns %s from %d\n", stringof(args[1]->name), args[0] > 0); }
pid$target:a.out:narrow:entry, pid$target:a.out:by_value:entry { printf("%s\n", probefunc); }
pid$target:a.out:narrow:entry { printf("%d\n", args[0]); }
pid$target:a.out:narrow:return { printf("%d\n", args[1]); }
