struct later;
translator struct later < int i > {
};
