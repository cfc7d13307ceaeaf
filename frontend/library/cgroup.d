/* Control groups of the unified hierarchy: the group of the running thread, as in /proc/self/cgroup. */

inline struct kernfs_node *__outer_group[struct kernfs_node *K] =
    K == NULL ? NULL : K->__parent ?? K->parent;
inline string __group_step[struct kernfs_node *K, struct kernfs_node *outer] =
    outer == NULL ? "" : strjoin("/", stringof(K->name));

/* The group of the running thread and its next five ancestors. */
this struct kernfs_node *__group, *__group_2, *__group_3, *__group_4, *__group_5, *__group_6;

inline uint64_t cgroup_id = curthread->cgroups->dfl_cgrp->kn->id;
inline string cgroup_path = (this->__group = curthread->cgroups->dfl_cgrp->kn,
    this->__group_2 = __outer_group[this->__group], this->__group_3 = __outer_group[this->__group_2],
    this->__group_4 = __outer_group[this->__group_3], this->__group_5 = __outer_group[this->__group_4],
    this->__group_6 = __outer_group[this->__group_5], this->__group_2 == NULL ? "/" :
    strjoin(strjoin(strjoin(__group_step[this->__group_6, __outer_group[this->__group_6]],
	__group_step[this->__group_5, this->__group_6]), strjoin(__group_step[this->__group_4, this->__group_5],
	__group_step[this->__group_3, this->__group_4])), strjoin(__group_step[this->__group_2, this->__group_3],
	__group_step[this->__group, this->__group_2])));

/* The container of the running process: the host name of its namespace if it has process ids of its own. */
inline string zonename = curthread->thread_pid == NULL || curthread->thread_pid->level == 0 ||
    curthread->nsproxy == NULL ? "global" : stringof(curthread->nsproxy->uts_ns->name.nodename);
