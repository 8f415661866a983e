// expect: undeclared
// SPDX-License-Identifier: Apache-2.0
// shows: this text is never said
int main() { return undeclared; }
