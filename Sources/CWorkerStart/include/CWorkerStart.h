// The start of `opool-worker`, before any Swift code; nothing of it is called by name.

#ifndef OPOOL_WORKER_START_H
#define OPOOL_WORKER_START_H

#endif
