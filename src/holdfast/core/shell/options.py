"""Options and operands of a command, as the usual conventions have them."""

from __future__ import annotations

from holdfast.core.record import Record
from holdfast.core.shell.scope import Word


class Options(Record):
    """What stands on a command line after the program."""

    flags: tuple[tuple[str, Word | None], ...] = ()
    """Each option as `-x` or `--name`, with its value."""
    operands: tuple[Word, ...] = ()
    unclear: bool = False
    """A word that is not known stands where it may be an option."""

    def has(self, *names: str) -> bool:
        """Tell whether one of these options is given; long ones may be abbreviated, as GNU programs allow."""
        return any(_means(given, name) for given, _value in self.flags for name in names)

    def exactly(self, *names: str) -> bool:
        """Tell whether one of these options is given in full: for programs that know no abbreviations."""
        return any(given in names for given, _value in self.flags)

    def values(self, *names: str) -> list[Word | None]:
        """Return the values of these options."""
        return [value for given, value in self.flags if any(_means(given, name) for name in names)]

    def beyond(self, known: frozenset[str]) -> list[str]:
        """Return the options that are not among these. Abbreviations do not count as known."""
        return [name for name, _value in self.flags if name not in known]

    @property
    def texts(self) -> list[str | None]:
        """The operands' values."""
        return [word.text for word in self.operands]


def _means(given: str, name: str) -> bool:
    return given == name or (len(given) > 3 and given.startswith("--") and name.startswith(given))


def options_of(words: list[Word], with_value: str = "", *, first_operand_ends: bool = False) -> Options:
    """Split words into options and operands. `with_value` lists the options that take the next word, separated by blanks."""
    takers = with_value.split()
    flags: list[tuple[str, Word | None]] = []
    operands: list[Word] = []
    unclear = False
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        text = word.text
        if text is None:
            # quoted or not, its value may begin with a dash
            unclear = True
            operands.append(word)
        elif text == "--":
            operands.extend(words[at:])
            break
        elif text.startswith("--"):
            name, equals, value = text.partition("=")
            if equals:
                flags.append((name, Word(value)))
            elif any(_means(name, taker) for taker in takers) and at < len(words):
                flags.append((name, words[at]))
                at += 1
            else:
                flags.append((name, None))
        elif text.startswith("-") and len(text) > 1:
            taken = _cluster(text, takers, words[at : at + 1], flags)
            at += taken
        else:
            operands.append(word)
            if first_operand_ends:
                operands.extend(words[at:])
                break
    return Options(tuple(flags), tuple(operands), unclear)


def _cluster(text: str, takers: list[str], following: list[Word], flags: list[tuple[str, Word | None]]) -> int:
    """Add the options of a word like -xvf; return how many of the following words they take."""
    if text in takers:
        flags.append((text, following[0] if following else None))
        return len(following)
    for position, letter in enumerate(text[1:], 1):
        name = f"-{letter}"
        if name in takers:
            rest = text[position + 1 :]
            flags.append((name, Word(rest) if rest else following[0] if following else None))
            return 0 if rest else len(following)
        flags.append((name, None))
    return 0
