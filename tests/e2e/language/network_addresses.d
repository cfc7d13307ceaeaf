/* Addresses as text. The bytes are a part of the name of the running program: "dscope". */
#pragma D option quiet
BEGIN
{
  this->name = (void *)curthread->comm;
  printf("%s\n", inet_ntoa((ipaddr_t *)this->name));
  printf("%s\n", inet_ntoa6((struct in6_addr *)this->name));
  printf("%s\n", inet_ntoa6((in6_addr_t *)this->name, 1));
  printf("%s %s\n", inet_ntop(AF_INET, this->name), inet_ntop(AF_INET6, this->name));
  printf("%s %s\n", link_ntop(ARPHRD_ETHER, this->name), link_ntop(ARPHRD_INFINIBAND, this->name));
}
BEGIN { printf("%s\n", inet_ntoa(NULL)); }
BEGIN { printf("%s\n", inet_ntoa6(NULL)); }
BEGIN { printf("%s\n", inet_ntop(AF_INET6, NULL)); }
BEGIN { printf("%s\n", link_ntop(1, NULL)); }
BEGIN { printf("%s\n", link_ntop(2, curthread)); }
BEGIN { exit(0); }
