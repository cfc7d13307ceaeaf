/* htons() and its family. */
#pragma D option quiet

BEGIN {
  printf("%x %x %x\n", htons(0x1234), htonl(0x12345678), htonll(0x123456789abcdef0));
  printf("%x %x %x\n", ntohs(0x1234), ntohl(0x12345678), ntohll(0x123456789abcdef0));
  printf("%x\n", htons(0x99991234));
  exit(0);
}
