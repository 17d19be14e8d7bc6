#ifndef CPROCESSOR_H
#define CPROCESSOR_H

/// Makes the processor load memory that is needed soon. Any address is allowed: if there is no memory, nothing happens.
static inline void processor_prefetch(const void *memory) { __builtin_prefetch(memory, 0, 2); }

#endif
