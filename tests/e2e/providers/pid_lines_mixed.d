/* Lines that begin at an instruction of an inlined function, and a line with instructions in a cold part.
 @@command: %T/lines */
#pragma D option quiet

pid$target:a.out:lines.c@11: { printf("%s in %s: it %d\n", probefunc, probename, $it); }
pid$target:a.out:lines.h@10: { printf("%s in %s: other %d\n", probefunc, probename, $other); }
pid$target:a.out:lines.c@23:checked { printf("result %d\n", $result); }
