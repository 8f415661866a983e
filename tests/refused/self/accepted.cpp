// expect: this text is never said
// SPDX-License-Identifier: Apache-2.0
int main() {}
