// SPDX-License-Identifier: Apache-2.0
// More thread-local variables than there is room for.
_Thread_local volatile char many[100000];
int main(int argc, char** argv) { return (many[argc] = argv[0][0]) == 0; }
