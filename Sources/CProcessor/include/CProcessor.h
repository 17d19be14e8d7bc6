#ifndef CPROCESSOR_H
#define CPROCESSOR_H

/// Has the processor read memory that is asked for soon. Any address will do: nothing comes of one where
/// nothing is.
static inline void processor_prefetch(const void *memory) { __builtin_prefetch(memory, 0, 2); }

#endif
