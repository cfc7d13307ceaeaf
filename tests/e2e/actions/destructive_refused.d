/* Without -w the program is rejected. */
BEGIN { system("echo no"); }
