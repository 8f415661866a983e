# SPDX-License-Identifier: Apache-2.0
"""C++ text as tokens. White space and comments are no tokens: formatting and rewording leave all tokens as they are."""
import dataclasses
import re

# `>` is always a token by itself: `> >` of old code is `>>` of new code.
TOKEN = re.compile(r"""
    (?P<skip>\s+|\\\n|//[^\n]*|/\*.*?\*/)
  | (?P<raw>(?:u8|u|U|L)?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")
  | (?P<string>(?:u8|u|U|L)?"(?:[^"\\\n]|\\.)*")
  | (?P<char>(?:u8|u|U|L)?'(?:[^'\\\n]|\\.)*')
  | (?P<number>\.?\d(?:[eEpP][+-]|'\w|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign>->\*?|::|\+\+|--|<<=?|[-+*/%&|^!=<]=|&&|\|\||\.\.\.|.)
    """, re.VERBOSE | re.DOTALL)


@dataclasses.dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


def joined(first, second):
    """One token of two string literals in a row: formatting splits and joins literals."""
    return Token("string", first.text[:-1] + second.text[1:], first.start, second.end)


def tokens_of(text):
    found = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup != "mark" else "raw"
        if kind == "skip":
            continue
        token = Token(kind, match[0], match.start(), match.end())
        if kind == "string" and token.text[0] == '"' and found and found[-1].kind == "string":
            found[-1] = joined(found[-1], token)
        else:
            found.append(token)
    return found


def can_be_renamed(old, new):
    """A name can become another name. So can a string, which a fault may hold beside what it changes."""
    return old.text == new.text or (old.kind == new.kind and old.kind in ("name", "string"))


def are_alike(old, new):
    """Two sequences that differ in names and strings alone."""
    return len(old) == len(new) and all(can_be_renamed(*pair) for pair in zip(old, new))
