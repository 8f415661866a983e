// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <kaon/kaon.hpp>

namespace guide {

/// The sections of docs/guide/. Each says whether what the page promises came true.
kaon::Task<bool> groups(kaon::Runtime& runtime);
kaon::Task<bool> sparse_arrays(kaon::Runtime& runtime);
kaon::Task<bool> sections(kaon::Runtime& runtime);
kaon::Task<bool> single_chares(kaon::Runtime& runtime);
kaon::Task<bool> bound_arrays(kaon::Runtime& runtime);
kaon::Task<bool> ends_of_arrays(kaon::Runtime& runtime);
kaon::Task<bool> priorities(kaon::Runtime& runtime);
kaon::Task<bool> bit_priorities(kaon::Runtime& runtime);
kaon::Task<bool> small_messages(kaon::Runtime& runtime);
kaon::Task<bool> order(kaon::Runtime& runtime);
kaon::Task<bool> timers(kaon::Runtime& runtime);
kaon::Task<bool> all_any(kaon::Runtime& runtime);
kaon::Task<bool> loops_of_calls(kaon::Runtime& runtime);
kaon::Task<bool> inboxes(kaon::Runtime& runtime);
kaon::Task<bool> ready_flush(kaon::Runtime& runtime);
kaon::Task<bool> exceptions(kaon::Runtime& runtime);
kaon::Task<bool> reductions(kaon::Runtime& runtime);
kaon::Task<bool> callbacks(kaon::Runtime& runtime);
kaon::Task<bool> completion(kaon::Runtime& runtime);
kaon::Task<bool> operations(kaon::Runtime& runtime);
kaon::Task<bool> objects_by_pointer(kaon::Runtime& runtime);
kaon::Task<bool> payloads(kaon::Runtime& runtime);

}  // namespace guide
