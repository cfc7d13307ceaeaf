/* More clause-local numbers at once than fit on BPF's stack. */
#pragma D option quiet

BEGIN {
  this->v0 = strlen(strjoin(execname, ""));
  this->v1 = strlen(strjoin(execname, "x"));
  this->v2 = strlen(strjoin(execname, "xx"));
  this->v3 = strlen(strjoin(execname, "xxx"));
  this->v4 = strlen(strjoin(execname, "xxxx"));
  this->v5 = strlen(strjoin(execname, ""));
  this->v6 = strlen(strjoin(execname, "x"));
  this->v7 = strlen(strjoin(execname, "xx"));
  this->v8 = strlen(strjoin(execname, "xxx"));
  this->v9 = strlen(strjoin(execname, "xxxx"));
  this->v10 = strlen(strjoin(execname, ""));
  this->v11 = strlen(strjoin(execname, "x"));
  this->v12 = strlen(strjoin(execname, "xx"));
  this->v13 = strlen(strjoin(execname, "xxx"));
  this->v14 = strlen(strjoin(execname, "xxxx"));
  this->v15 = strlen(strjoin(execname, ""));
  this->v16 = strlen(strjoin(execname, "x"));
  this->v17 = strlen(strjoin(execname, "xx"));
  this->v18 = strlen(strjoin(execname, "xxx"));
  this->v19 = strlen(strjoin(execname, "xxxx"));
  this->v20 = strlen(strjoin(execname, ""));
  this->v21 = strlen(strjoin(execname, "x"));
  this->v22 = strlen(strjoin(execname, "xx"));
  this->v23 = strlen(strjoin(execname, "xxx"));
  this->v24 = strlen(strjoin(execname, "xxxx"));
  this->v25 = strlen(strjoin(execname, ""));
  this->v26 = strlen(strjoin(execname, "x"));
  this->v27 = strlen(strjoin(execname, "xx"));
  this->v28 = strlen(strjoin(execname, "xxx"));
  this->v29 = strlen(strjoin(execname, "xxxx"));
  this->v30 = strlen(strjoin(execname, ""));
  this->v31 = strlen(strjoin(execname, "x"));
  this->v32 = strlen(strjoin(execname, "xx"));
  this->v33 = strlen(strjoin(execname, "xxx"));
  this->v34 = strlen(strjoin(execname, "xxxx"));
  this->v35 = strlen(strjoin(execname, ""));
  this->v36 = strlen(strjoin(execname, "x"));
  this->v37 = strlen(strjoin(execname, "xx"));
  this->v38 = strlen(strjoin(execname, "xxx"));
  this->v39 = strlen(strjoin(execname, "xxxx"));
  this->v40 = strlen(strjoin(execname, ""));
  this->v41 = strlen(strjoin(execname, "x"));
  this->v42 = strlen(strjoin(execname, "xx"));
  this->v43 = strlen(strjoin(execname, "xxx"));
  this->v44 = strlen(strjoin(execname, "xxxx"));
  this->v45 = strlen(strjoin(execname, ""));
  this->v46 = strlen(strjoin(execname, "x"));
  this->v47 = strlen(strjoin(execname, "xx"));
  this->v48 = strlen(strjoin(execname, "xxx"));
  this->v49 = strlen(strjoin(execname, "xxxx"));
  this->v50 = strlen(strjoin(execname, ""));
  this->v51 = strlen(strjoin(execname, "x"));
  this->v52 = strlen(strjoin(execname, "xx"));
  this->v53 = strlen(strjoin(execname, "xxx"));
  this->v54 = strlen(strjoin(execname, "xxxx"));
  this->v55 = strlen(strjoin(execname, ""));
  this->v56 = strlen(strjoin(execname, "x"));
  this->v57 = strlen(strjoin(execname, "xx"));
  this->v58 = strlen(strjoin(execname, "xxx"));
  this->v59 = strlen(strjoin(execname, "xxxx"));
  printf("%d\n", this->v0 +
    this->v1 +
    this->v2 +
    this->v3 +
    this->v4 +
    this->v5 +
    this->v6 +
    this->v7 +
    this->v8 +
    this->v9 +
    this->v10 +
    this->v11 +
    this->v12 +
    this->v13 +
    this->v14 +
    this->v15 +
    this->v16 +
    this->v17 +
    this->v18 +
    this->v19 +
    this->v20 +
    this->v21 +
    this->v22 +
    this->v23 +
    this->v24 +
    this->v25 +
    this->v26 +
    this->v27 +
    this->v28 +
    this->v29 +
    this->v30 +
    this->v31 +
    this->v32 +
    this->v33 +
    this->v34 +
    this->v35 +
    this->v36 +
    this->v37 +
    this->v38 +
    this->v39 +
    this->v40 +
    this->v41 +
    this->v42 +
    this->v43 +
    this->v44 +
    this->v45 +
    this->v46 +
    this->v47 +
    this->v48 +
    this->v49 +
    this->v50 +
    this->v51 +
    this->v52 +
    this->v53 +
    this->v54 +
    this->v55 +
    this->v56 +
    this->v57 +
    this->v58 +
    this->v59);
  exit(0);
}
