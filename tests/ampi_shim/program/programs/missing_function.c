// SPDX-License-Identifier: Apache-2.0
// Calls a function that its library has when it is linked and lacks when it runs.
int function_of_library(void);
int main(void) { return function_of_library(); }
