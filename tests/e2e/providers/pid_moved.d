/* What clang passes elsewhere than is written, or not at all, is found where its debug information says.
 @@command: %T/moved */
#pragma D option quiet

pid$target:a.out:constant:entry { printf("%d %d %d, ", args[0], args[1], args[2]); }
pid$target:a.out:promoted:entry { printf("args[1] %d\n", args[1]); }
