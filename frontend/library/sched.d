/* CPUs: cpuinfo_t, and the variables about the CPU on which the probe fires. */

typedef int chipid_t;
typedef int lgrp_id_t;

typedef struct processor_info processor_info_t;
struct processor_info {
	int pi_state;
	char pi_processor_type[16];
	char pi_fputypes[32];
	int pi_clock;
};

/* pi_state */
inline int P_OFFLINE = 1;
inline int P_ONLINE = 2;

typedef struct cpuinfo cpuinfo_t;
struct cpuinfo {
	processorid_t cpu_id;
	int cpu_pset;
	chipid_t cpu_chip;
	lgrp_id_t cpu_lgrp;
	processor_info_t cpu_info;
};

inline cpuinfo_t *curcpu = __cpuinfo(cpu);
inline chipid_t chip = curcpu->cpu_chip;
inline lgrp_id_t lgrp = curcpu->cpu_lgrp;
inline int pset = curcpu->cpu_pset;
