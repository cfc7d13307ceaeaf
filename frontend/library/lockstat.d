/* args[1] of the reader/writer lock probes. */

inline int RW_WRITER = 0;
inline int RW_READER = 1;
