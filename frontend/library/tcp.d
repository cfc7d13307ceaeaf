/* TCP header flags and connection states. */

/* tcp_flags of tcpinfo_t */
inline int TH_FIN = 0x1;
inline int TH_SYN = 0x2;
inline int TH_RST = 0x4;
inline int TH_PSH = 0x8;
inline int TH_PUSH = 0x8;
inline int TH_ACK = 0x10;
inline int TH_URG = 0x20;
inline int TH_ECE = 0x40;
inline int TH_CWR = 0x80;

/* tcps_state of tcpsinfo_t and tcplsinfo_t */
inline int TCP_STATE_IDLE = 0;
inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_CLOSING = 11;
inline int TCP_STATE_NEW_SYN_RECV = 12;
inline int TCP_STATE_BOUND = 13;

/* Names of these states on other systems */
inline int TCPS_IDLE = 0;
inline int TCPS_ESTABLISHED = 1;
inline int TCPS_SYN_SENT = 2;
inline int TCPS_SYN_RECEIVED = 3;
inline int TCPS_FIN_WAIT_1 = 4;
inline int TCPS_FIN_WAIT_2 = 5;
inline int TCPS_TIME_WAIT = 6;
inline int TCPS_CLOSED = 7;
inline int TCPS_CLOSE_WAIT = 8;
inline int TCPS_LAST_ACK = 9;
inline int TCPS_LISTEN = 10;
inline int TCPS_CLOSING = 11;
inline int TCPS_NEW_SYN_RECV = 12;
inline int TCPS_BOUND = 13;

/* The size of a header without options, in bytes */
inline int TCP_MIN_HEADER_LENGTH = 20;

/* The text of a state, as in tcp_state_string[args[3]->tcps_state] */
inline string tcp_state_string[int32_t state] =
    state == TCP_STATE_ESTABLISHED ? "state-established" :
    state == TCP_STATE_SYN_SENT ? "state-syn-sent" :
    state == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
    state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
    state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
    state == TCP_STATE_TIME_WAIT ? "state-time-wait" :
    state == TCP_STATE_CLOSED ? "state-closed" :
    state == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
    state == TCP_STATE_LAST_ACK ? "state-last-ack" :
    state == TCP_STATE_LISTEN ? "state-listen" :
    state == TCP_STATE_CLOSING ? "state-closing" :
    state == TCP_STATE_NEW_SYN_RECV ? "state-syn-received" :
    state == TCP_STATE_BOUND ? "state-bound" :
    state == TCP_STATE_IDLE ? "state-idle" : "<unknown>";
