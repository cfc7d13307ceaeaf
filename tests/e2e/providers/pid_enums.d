/* Enums of programs are signed or unsigned as the compiler decides: 200 in a byte is not -56.
 @@command: %T/moved */
#pragma D option quiet
#pragma D option printform=classic

pid$target:a.out:enums:entry {
  printf("%d %d %d\n", args[0], args[0] == 200, args[0] > 5);
  printf("%u %d\n", args[1], args[1] > 5);
  printf("%d %u %d\n", args[2]->small, args[2]->large, args[2]->bits);
  print(args[0]);
}
