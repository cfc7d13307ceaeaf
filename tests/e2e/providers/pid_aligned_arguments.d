/* After three words, an argument aligned to two words, and the arguments that follow.
 @@command: %T/typed */
#pragma D option quiet

pid$target:a.out:wide:entry { printf("%d %d %d\n", args[0].width, args[2].width, args[2].height); }
