// The start of `opool`, before any Swift code; nothing of it is called by name.

#ifndef OPOOL_COMMAND_START_H
#define OPOOL_COMMAND_START_H

#endif
