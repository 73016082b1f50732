// What `opool-worker` does before anything of Swift; nothing of it is called by name.

#ifndef OPOOL_WORKER_START_H
#define OPOOL_WORKER_START_H

#endif
