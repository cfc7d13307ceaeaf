/* The pragma permits destructive actions as -w does. */
#pragma D option destructive
BEGIN { system("echo yes"); exit(0); }
