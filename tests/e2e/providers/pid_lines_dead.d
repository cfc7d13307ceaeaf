/* A variable that the optimizer has removed at the line.
 @@command: %T/cart */
pid$target:a.out:cart.c@59: { trace($below); }
