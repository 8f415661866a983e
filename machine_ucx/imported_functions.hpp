// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::machine_ucx {

/// Redirects a library's calls of a function that it imports. `library` is the name of its file without ".so", as
/// "libucs"; copies of wheels, "libucs-1a2b3c.so", are meant too. Returns false if no loaded library of that name
/// imports the function. Another thread may call it meanwhile.
bool redirect_import(const char* library, const char* function, void* replacement);

}  // namespace kaon::machine_ucx
