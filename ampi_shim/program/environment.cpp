// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/environment.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace kaon::ampi {
namespace {

std::size_t count(char* const* strings) {
  std::size_t total = 0;
  while (strings != nullptr && strings[total] != nullptr) ++total;
  return total;
}

bool is_named(const char* string, std::string_view name) {
  return std::strncmp(string, name.data(), name.size()) == 0 && string[name.size()] == '=';
}

}  // namespace

Environment::~Environment() { std::for_each(made_.begin(), made_.end(), std::free); }

void Environment::start(const char* const* strings, char*** variable) {
  char* const* given = const_cast<char* const*>(strings);
  strings_.assign(given, given + count(given));
  strings_.push_back(nullptr);
  if (variable != nullptr) variable_ = variable;
  *variable_ = strings_.data();
}

char** Environment::find(std::string_view name) const {
  for (char** each = array(); each != nullptr && *each != nullptr; ++each) {
    if (is_named(*each, name)) return each;
  }
  return nullptr;
}

char* Environment::get(std::string_view name) const {
  char** found = find(name);
  return found == nullptr ? nullptr : *found + name.size() + 1;
}

void Environment::put(char* string) {
  const std::string_view name(string, std::strcspn(string, "="));
  if (string[name.size()] != '=') return remove(name);  // as putenv("NAME") does
  if (char** found = find(name)) {
    *found = string;
    return;
  }
  char* const* now = array();
  if (now != strings_.data()) strings_.assign(now, now + count(now) + (now == nullptr ? 0 : 1));
  if (strings_.empty()) strings_.push_back(nullptr);
  strings_.back() = string;
  strings_.push_back(nullptr);
  *variable_ = strings_.data();
}

void Environment::set(std::string_view name, std::string_view value) {
  auto* string = static_cast<char*>(std::malloc(name.size() + value.size() + 2));
  std::memcpy(string, name.data(), name.size());
  string[name.size()] = '=';
  std::memcpy(string + name.size() + 1, value.data(), value.size());
  string[name.size() + 1 + value.size()] = '\0';
  made_.push_back(string);
  put(string);
}

void Environment::remove(std::string_view name) {
  char** to = array();
  if (to == nullptr) return;
  char** from = to;
  for (; *from != nullptr; ++from) {
    if (!is_named(*from, name)) *to++ = *from;
  }
  *to = nullptr;
  if (array() == strings_.data()) strings_.resize(static_cast<std::size_t>(to - array()) + 1);
}

void Environment::clear() {
  strings_.assign(1, nullptr);
  *variable_ = nullptr;
}

}  // namespace kaon::ampi
