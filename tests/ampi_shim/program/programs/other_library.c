// SPDX-License-Identifier: Apache-2.0
int another_function(void) { return 1; }
