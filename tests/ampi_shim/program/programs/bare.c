// SPDX-License-Identifier: Apache-2.0
// main without arguments.
static int calls;
int main() { return ++calls; }
