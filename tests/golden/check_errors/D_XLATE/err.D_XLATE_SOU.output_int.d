translator int < struct list_head l > {
};
