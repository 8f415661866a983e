// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/option_parser.hpp"

#include <algorithm>
#include <cstring>

namespace kaon::ampi {
namespace {

constexpr int kGoOn = -2;  // no result yet

bool is_option(const char* argument) { return argument[0] == '-' && argument[1] != '\0'; }

bool mean_the_same(const option& one, const option& other) {
  return one.has_arg == other.has_arg && one.flag == other.flag && one.val == other.val;
}

}  // namespace

void OptionParser::start(const Variables& variables, bool is_posix) {
  is_posix_ = is_posix;
  at_.argument = variables.argument != nullptr ? variables.argument : &own_argument_;
  at_.index = variables.index != nullptr ? variables.index : &own_index_;
  at_.errors = variables.errors != nullptr ? variables.errors : &own_errors_;
  at_.character = variables.character != nullptr ? variables.character : &own_character_;
  bring_in();
}

void OptionParser::take_out() {
  own_argument_ = *at_.argument;
  own_index_ = *at_.index;
  own_errors_ = *at_.errors;
  own_character_ = *at_.character;
}

void OptionParser::bring_in() const {
  *at_.argument = own_argument_;
  *at_.index = own_index_;
  *at_.errors = own_errors_;
  *at_.character = own_character_;
}

const char* OptionParser::letters_of(const Call& call) {
  return call.letters + (call.letters[0] == '-' || call.letters[0] == '+' ? 1 : 0);
}

bool OptionParser::tells(const Call& call) const { return *at_.errors != 0 && letters_of(call)[0] != ':'; }

int OptionParser::next(const Call& call) {
  if (call.argc < 1) return -1;
  *at_.argument = nullptr;
  if (*at_.index == 0 || !has_begun_) begin(call);
  if (rest_ == nullptr || *rest_ == '\0') {
    const int result = advance(call);
    if (result != kGoOn) return result;
  }
  return letter(call);
}

void OptionParser::begin(const Call& call) {
  has_begun_ = true;
  *at_.index = std::max(*at_.index, 1);
  first_other_ = last_other_ = *at_.index;
  rest_ = nullptr;
  order_ = call.letters[0] == '-' ? Order::in_turn : call.letters[0] == '+' || is_posix_ ? Order::stop : Order::permute;
}

// To the next argument that is an option.
int OptionParser::advance(const Call& call) {
  int& index = *at_.index;
  last_other_ = std::min(last_other_, index);
  first_other_ = std::min(first_other_, index);
  skip_others(call);
  if (const int result = end_or_other(call); result != kGoOn) return result;
  char* argument = call.argv[index];
  if (call.names != nullptr && argument[1] == '-') {
    rest_ = argument + 2;
    return name(call, "--");
  }
  if (call.names != nullptr && call.long_only &&
      (argument[2] != '\0' || std::strchr(letters_of(call), argument[1]) == nullptr)) {
    rest_ = argument + 1;
    const int result = name(call, "-");
    if (result != -1) return result;
  }
  rest_ = argument + 1;
  return kGoOn;
}

void OptionParser::skip_others(const Call& call) {
  int& index = *at_.index;
  if (order_ == Order::permute) {
    move_options_forward(call.argv);
    while (index < call.argc && !is_option(call.argv[index])) ++index;
    last_other_ = index;
  }
  if (index < call.argc && std::strcmp(call.argv[index], "--") == 0) {
    ++index;
    move_options_forward(call.argv);
    last_other_ = call.argc;
    index = call.argc;
  }
}

// Arguments passed over go behind the options that followed them.
void OptionParser::move_options_forward(char** argv) {
  const int index = *at_.index;
  if (first_other_ == last_other_) {
    first_other_ = index;
  } else if (last_other_ != index) {
    std::rotate(argv + first_other_, argv + last_other_, argv + index);
    first_other_ += index - last_other_;
  }
  last_other_ = index;
}

int OptionParser::end_or_other(const Call& call) {
  int& index = *at_.index;
  if (index >= call.argc) {
    if (first_other_ != last_other_) index = first_other_;
    return -1;
  }
  if (is_option(call.argv[index])) return kGoOn;
  if (order_ == Order::stop) return -1;
  *at_.argument = call.argv[index++];
  return 1;
}

int OptionParser::letter(const Call& call) {
  const char letter = *rest_++;
  const char* rule = letter == ':' || letter == ';' ? nullptr : std::strchr(letters_of(call), letter);
  if (*rest_ == '\0') ++*at_.index;
  if (rule != nullptr) return rule[1] == ':' ? take_argument(call, letter, rule) : letter;
  if (tells(call)) std::fprintf(call.errors, "%s: invalid option -- '%c'\n", call.argv[0], letter);
  *at_.character = letter;
  return '?';
}

int OptionParser::take_argument(const Call& call, char letter, const char* rule) {
  int& index = *at_.index;
  char* rest = rest_;
  rest_ = nullptr;
  if (*rest != '\0') {
    *at_.argument = rest;
    ++index;
  } else if (rule[2] == ':') {
    *at_.argument = nullptr;
  } else if (index < call.argc) {
    *at_.argument = call.argv[index++];
  } else {
    if (tells(call)) std::fprintf(call.errors, "%s: option requires an argument -- '%c'\n", call.argv[0], letter);
    *at_.character = letter;
    return letters_of(call)[0] == ':' ? ':' : '?';
  }
  return letter;
}

int OptionParser::name(const Call& call, const char* prefix) {
  const char* end = std::strchr(rest_, '=');
  const std::string given(rest_, end == nullptr ? std::strlen(rest_) : static_cast<std::size_t>(end - rest_));
  bool is_ambiguous = false;
  const option* found = match(call, given, prefix, is_ambiguous);
  if (found != nullptr)
    return take_name(call, *found, prefix + std::string(found->name), end == nullptr ? nullptr : end + 1);
  if (!is_ambiguous) {
    const bool may_be_letters = call.long_only && call.argv[*at_.index][1] != '-';
    if (may_be_letters && std::strchr(letters_of(call), *rest_) != nullptr) return -1;
    if (tells(call)) std::fprintf(call.errors, "%s: unrecognized option '%s%s'\n", call.argv[0], prefix, rest_);
  }
  rest_ = nullptr;
  ++*at_.index;
  *at_.character = 0;
  return '?';
}

// The name in full, or the only one that begins so.
const option* OptionParser::match(const Call& call, const std::string& given, const char* prefix,
                                  bool& is_ambiguous) const {
  const option* found = nullptr;
  for (const option* each = call.names; each->name != nullptr; ++each) {
    if (given == each->name) {
      is_ambiguous = false;
      return each;
    }
    if (std::strncmp(each->name, given.c_str(), given.size()) != 0) continue;
    if (found == nullptr) {
      found = each;
    } else if (call.long_only || !mean_the_same(*found, *each)) {
      is_ambiguous = true;
    }
  }
  if (!is_ambiguous) return found;
  if (tells(call)) std::fprintf(call.errors, "%s: option '%s%s' is ambiguous\n", call.argv[0], prefix, given.c_str());
  return nullptr;
}

int OptionParser::take_name(const Call& call, const option& match, const std::string& shown, const char* value) {
  const auto refuse = [&](const char* why, int result) {
    if (tells(call)) std::fprintf(call.errors, "%s: option '%s' %s\n", call.argv[0], shown.c_str(), why);
    *at_.character = match.val;
    return result;
  };
  int& index = *at_.index;
  ++index;
  rest_ = nullptr;
  if (value != nullptr) {
    if (match.has_arg == no_argument) return refuse("doesn't allow an argument", '?');
    *at_.argument = const_cast<char*>(value);
  } else if (match.has_arg == required_argument) {
    if (index >= call.argc) return refuse("requires an argument", letters_of(call)[0] == ':' ? ':' : '?');
    *at_.argument = call.argv[index++];
  }
  if (call.found != nullptr) *call.found = static_cast<int>(&match - call.names);
  if (match.flag == nullptr) return match.val;
  *match.flag = match.val;
  return 0;
}

}  // namespace kaon::ampi
