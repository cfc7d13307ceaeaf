/* setopt() does not permit what needs -w. */
BEGIN { setopt("destructive"); }
BEGIN { system("echo no"); exit(0); }
