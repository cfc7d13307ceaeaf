/*
 * The process and the thread that fire the probe. Replays of captures replace this library: they have no curthread.
 */

#pragma D depends_on library procfs.d

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
