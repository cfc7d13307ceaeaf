/* Address families, hardware types, addresses, and directions of network probes. */

inline int AF_UNIX = 1;
inline int AF_INET = 2;
inline int AF_INET6 = 10;

inline int ARPHRD_ETHER = 1;
inline int ARPHRD_INFINIBAND = 32;
inline int ARPHRD_LOOPBACK = 772;

typedef struct in6_addr in6_addr_t;

inline int NET_PROBE_OUTBOUND = 0;
inline int NET_PROBE_INBOUND = 1;

/* The ends of a connection, for the static probes of servers. */
typedef struct conninfo conninfo_t;
struct conninfo {
	string ci_local;
	string ci_remote;
	string ci_protocol;
};
