/* A send larger than the length field of an IP header.
 @@command: %T/sockets large 2000000 */
#pragma D option quiet

/* Not the bytes that a slow machine sends again. */
uint32_t end[string];
tcp:::send, tcp:::receive
/args[2]->ip_saddr == "127.77.7.8" && (end[probename] == 0 || (int32_t)(args[4]->tcp_seq - end[probename]) >= 0)/
{
  this->size = args[2]->ip_plength - args[4]->tcp_offset;
  @[probename] = sum(this->size);
  end[probename] = args[4]->tcp_seq + this->size;
}
ip:::send /args[2]->ip_saddr == "127.77.7.8" && args[2]->ip_plength > 3000000/ { @odd = count(); }
