/* Translated arguments are NULL exactly if their object is missing.
 @@command: %T/sockets tcp */
#pragma D option quiet

tcp:::send, tcp:::receive
/args[2] != NULL && args[4] && args[4]->tcp_sport && (args[2]->ip_saddr == "127.77.7.7" || args[2]->ip_saddr == "127.77.7.8")/
{
	@[probename, args[4] == NULL, args[4] == 0, !args[4], args[4] ? 1 : 2, NULL != args[2]] = max(1);
}
tcp:::send /args[3] && args[3]->tcps_laddr == "127.77.7.7"/ { sent = args[1] != NULL; if (args[0]) packets = 1; }
proc:::exit /pid == $target && curpsinfo != 0 && curlwpsinfo/ { printf("%d %d\n", sent, packets); }
proc:::create /args[0] == NULL/ { absent = 1; }
END { printf("%d\n", absent); }
