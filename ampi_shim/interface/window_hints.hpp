// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/communicators/info.hpp"
#include "kaon/ampi_shim/windows/window.hpp"

namespace kaon::ampi {

/// The standard's hints of a window with the values that hold where the program sets none.
void set_default_hints(Window& window);
/// Others than the standard's are ignored, and so not given back.
void set_hints(Window& window, const Info& hints);

}  // namespace kaon::ampi
