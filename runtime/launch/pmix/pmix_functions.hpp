// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pmix.h>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::launch {

// What is called of libpmix. It is loaded when a server of PMIx has started this process, and not before: other
// programs neither need it nor pay for it.
struct PmixFunctions {
  decltype(&PMIx_Init) init;
  decltype(&PMIx_Finalize) finalize;
  decltype(&PMIx_Abort) abort;
  decltype(&PMIx_Put) put;
  decltype(&PMIx_Commit) commit;
  decltype(&PMIx_Fence_nb) fence_nb;
  decltype(&PMIx_Get) get;
  decltype(&PMIx_Error_string) error_string;
  decltype(&PMIx_Register_event_handler) register_event_handler;
  decltype(&PMIx_Deregister_event_handler) deregister_event_handler;
};

// Throws UsageError when there is no libpmix. KAON_PMIX_LIBRARY names one that is not where libraries are looked for.
const PmixFunctions& pmix_functions();

}  // namespace kaon::launch
