// The module's first file replaces this one.
