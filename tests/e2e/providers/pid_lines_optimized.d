/* Variables of optimized code: in registers, computed, and known to the caller only.
 @@command: %T/cart */
#pragma D option quiet

pid$target:a.out:cart.c@58: { printf("below %d, scaled %d, limit %d\n", $below, $scaled, $limit); }
pid$target:a.out:cart.c@59: { printf("limit %d, count %d\n", $limit, $count); }
pid$target:a.out:cart.c@40: { printf("total %d, thread-local %d, items %d\n", $total, $thread_total, $items_made); }
