// SPDX-License-Identifier: Apache-2.0
int function_of_library(void) { return 1; }
