/* this-> is shared by all clauses of one firing, and set in predicates of later ones. */
#pragma D option quiet

this char c; this int y;

BEGIN { this->x = 41; this->s = "kept"; this->c = 300; }
BEGIN /this->x == 41/ { this->x++; printf("%d %s %d\n", this->x, this->s, this->c); }
BEGIN /this->x == 41/ { printf("never\n"); }
BEGIN /this->s == "kept" && this->x++ == 42/ { printf("%d\n", this->x); }
BEGIN { exit(0); }
END { this->y = 7; printf("%d\n", this->y); }
