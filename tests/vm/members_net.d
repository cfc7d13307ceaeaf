/* All members that the D library gives to packets and sockets. */
#pragma D option quiet
#pragma D option printform=classic

ip:::send /arg4 != 0 && !sent4++/ { print(*args[0]); print(*args[1]); print(*args[2]); print(*args[3]); print(*args[4]); }
ip:::receive /arg5 != 0 && !got6++/ { print(*args[2]); print(*args[5]); }
tcp:::send
/args[3]->tcps_state == TCP_STATE_ESTABLISHED && !sent++/
{
	print(*args[0]); print(*args[1]); print(*args[2]); print(*args[3]); print(*args[4]);
}
tcp:::receive
/args[3]->tcps_state == TCP_STATE_ESTABLISHED && !received++/
{
	print(*args[0]); print(*args[1]); print(*args[2]); print(*args[3]); print(*args[4]);
}
tcp:::accept-established /!accepted++/ { print(*args[1]); print(*args[2]); print(*args[3]); print(*args[4]); }
tcp:::state-change /!changed++/ { print(*args[1]); print(*args[3]); print(*args[5]); }
udp:::send /!datagrams++/ { print(*args[0]); print(*args[1]); print(*args[2]); print(*args[3]); print(*args[4]); }
udp:::receive /!arrived++/ { print(*args[2]); print(*args[3]); print(*args[4]); }
