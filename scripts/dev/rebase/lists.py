# SPDX-License-Identifier: Apache-2.0
"""The text of a list of faults (tests/mutants/*.toml), in which values change and all else stays."""
import json
import re
import tomllib

KEY = re.compile(r"^(\w+) *= *", re.MULTILINE)
BEGIN = "[[mutant]]"


def written(value):
    """As these lists have it: one line for a string, or for a list of them."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return "[" + ", ".join(map(written, value)) + "]"


def value_end(text, start, key):
    """Where the value ends that begins there: with the first line that makes it complete."""
    end = start
    while True:
        end = text.find("\n", end + 1)
        end = len(text) if end < 0 else end
        try:
            tomllib.loads(f"{key} = {text[start:end]}")
            return end
        except tomllib.TOMLDecodeError:
            if end == len(text):
                raise


def with_value(block, key, value):
    """The text of one table, with another value for a key that it has."""
    at = 0
    while match := KEY.search(block, at):
        end = value_end(block, match.end(), match[1])
        if match[1] == key:
            return block[:match.end()] + written(value) + block[end:]
        at = end
    raise KeyError(key)


def blocks_of(text):
    """What is before the first table, and the text of each."""
    starts = [match.start() for match in re.finditer(rf"^{re.escape(BEGIN)}", text, re.MULTILINE)]
    return [text[a:b] for a, b in zip([0, *starts], [*starts, len(text)])]


def changed(text, changes):
    """`changes`: for the number of a table, from 0 on, its new values by key."""
    head, *tables = blocks_of(text)
    for number, values in changes.items():
        for key, value in values.items():
            tables[number] = with_value(tables[number], key, value)
    return head + "".join(tables)
