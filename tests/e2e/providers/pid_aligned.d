/* Behind three words, a number that is aligned to two of them, and what follows.
 @@command: %T/typed */
#pragma D option quiet

pid$target:a.out:wide:entry { printf("%d %d %d\n", args[0].width, args[2].width, args[2].height); }
