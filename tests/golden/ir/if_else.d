/* if and else become branches. With a constant condition only one of them remains. */
int x;
BEGIN { if (x) { x = 11; } else { x = 12; } if (0) { x = 13; } else { x = 14; } }
/* CHECK: label %then, label %else */
/* CHECK: then: */
/* CHECK: store i32 11 */
/* CHECK: else: */
/* CHECK: store i32 12 */
/* CHECK: after: */
/* CHECK: store i32 14 */
/* NEVER: i32 13, */
