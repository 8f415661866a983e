// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::ampi {

/// Whether the libraries of this process call our pthread_create and _dl_find_object, which they do when the linker of
/// this executable has exported them: it does so by itself as libraries name them.
bool sees_new_threads();
bool sees_exceptions();

}  // namespace kaon::ampi
