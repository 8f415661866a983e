// SPDX-License-Identifier: Apache-2.0
#pragma once
// Included first, so that an older compiler says this and nothing else.
#if defined(__clang__) && __clang_major__ < 16
#pragma clang diagnostic fatal "-W#warnings"
#warning "Kaon needs clang 16 or newer, or g++ 12 or newer: this compiler is older (docs/compilers.md)"
#endif
