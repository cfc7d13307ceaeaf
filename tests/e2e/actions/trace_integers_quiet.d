/* trace() of integers in quiet mode has no padding. */
#pragma D option quiet

BEGIN { trace((char)-17); trace(" "); trace((unsigned char)-17); trace(" "); trace((short)-17); trace(" "); trace((unsigned short)-17); trace("\n");
  trace(-17); trace(" "); trace(17u); trace(" "); trace(-17l); trace(" "); trace(-1ul); trace("\n"); exit(0); }
