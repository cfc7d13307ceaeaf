/* Objects of three bytes, passed and returned in a register.
 @@command: %T/moved */
#pragma D option quiet
#pragma D option printform=classic

pid$target:a.out:lighter:entry { printf("%d %d\n", args[0].red, args[0].blue); print(args[0]); }
pid$target:a.out:lighter:return { printf("%d\n", args[1].green); }
