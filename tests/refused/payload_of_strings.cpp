// expect: Payload<T>: bytes travel as they are, so T must be trivially copyable
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <kaon/kaon.hpp>

void use(kaon::Payload<std::string> names);
std::size_t count() { return sizeof(kaon::Payload<std::string>); }
