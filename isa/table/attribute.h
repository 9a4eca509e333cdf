/* Keys of the attributes in braces, `{key = value}`. */
#ifndef NPU_ISA_ATTRIBUTE_H
#define NPU_ISA_ATTRIBUTE_H

#include <stdbool.h>

/* Whether something takes the key, or compilers print it and it says nothing about what is executed. */
bool attribute_known(const char *key);
/* The key that was probably meant; NULL if none is similar. */
const char *attribute_near(const char *key);

#endif
