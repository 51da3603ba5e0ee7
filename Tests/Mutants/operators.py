"""The operators that draw faults: each finds its places in a file and what to write there."""

import hashlib
import re

from lexing import ATTRIBUTE, DECLARES, MARK, NUMBER, OPERATOR, STRING, WORD

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===",
               "..<": "...", "...": "..<"}
SIGNS = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "<<": ">>", ">>": "<<"}
SIGNS |= {f"&{sign}": f"&{other}" for sign, other in SIGNS.items() if sign in "+-<<>>"} | {"&*": "&+"}
SIGNS |= {f"{sign}=": f"{other}=" for sign, other in SIGNS.items()}
LOGIC = {"&&": "||", "||": "&&"}
EXTREMES = {"min": "max", "max": "min"}
# Statements that can be dropped whole.
BLOCKS = {"if", "guard", "for", "while", "defer"}
JUMPS = {"return", "continue", "break", "throw"}
KEYWORDS = DECLARES | BLOCKS | JUMPS | {
    "switch", "do", "repeat", "else", "default", "catch", "in", "try", "static", "private", "public", "fileprivate",
    "internal", "package", "mutating", "nonmutating", "final", "override", "indirect", "async", "await", "where", "is",
    "as", "self", "super", "Self", "true", "false", "nil", "throws", "rethrows", "get", "set", "some", "any", "inout"}
# A call of these guards against an error of the programmer, or only saves time.
LEFT_OUT = {"precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError", "reserveCapacity", "hasher"}
VALUES = {"Bool": "false", "Int": "0", "String": '""', "": None}
LONGEST_STATEMENT = 5


class Place:
    """A place in a file: the operator that found it, the text from `start` to `end`, and the faulty text."""

    def __init__(self, operator, start, end, new, about):
        self.operator, self.start, self.end, self.new, self.about = operator, start, end, new, about


def comparisons(code):
    for token in code.tokens:
        if token.kind == OPERATOR and token.text in COMPARISONS and (token.isInfix or token.text in ("..<", "...")):
            yield swap("comparison", token, COMPARISONS[token.text])


def swap(operator, token, new):
    return Place(operator, token.start, token.end, new, f"`{token.text}` becomes `{new}`")


def signs(code):
    for token in code.tokens:
        if token.isInfix and token.text in SIGNS:
            yield swap("sign", token, SIGNS[token.text])
        elif token.isPrefix and token.text == "-":
            yield Place("sign", token.start, token.end, "", "a minus is dropped")


def constants(code):
    """A number becomes one more or one less, in its last digit before the point; `true` becomes `false`."""
    for index, token in enumerate(code.tokens):
        if token.kind == WORD and token.text in ("true", "false"):
            yield swap("constant", token, "false" if token.text == "true" else "true")
        if token.kind != NUMBER or code.at(index - 1) == ".":
            continue
        for step in (1, -1):
            if new := moved(token.text, step):
                yield swap("constant", token, new)


def moved(number, step):
    """Returns a number with one more or one less at its first digit that is not zero; None if it would be negative."""
    if re.fullmatch(r"0x[\da-fA-F_]+", number):
        value = int(number, 16) + step
        return f"0x{value:X}" if value >= 0 else None
    if re.fullmatch(r"[\d_]+", number):
        value = int(number) + step
        return f"{value}" if value >= 0 else None
    first = re.search(r"[1-9]", number)
    if not first or "." not in number or number.startswith("0b"):
        return "1.0" if number == "0.0" and step > 0 else None
    digit = int(first[0]) + step
    return number[: first.start()] + str(digit) + number[first.end() :] if 0 < digit < 10 else None


def logic(code):
    for token in code.tokens:
        if token.isInfix and token.text in LOGIC:
            yield swap("logic", token, LOGIC[token.text])
    for clauses, _ in conditions(code):
        for at, (first, last) in enumerate(clauses):
            if len(clauses) > 1 and is_plain(code, first):
                near = clauses[at + 1][0] if at + 1 < len(clauses) else None
                start = code.tokens[first].start if near else code.tokens[clauses[at - 1][1]].end
                end = code.tokens[near].start if near else code.tokens[last].end
                yield Place("logic", start, end, "", f"the clause `{shown(code, first, last)}` is dropped")


def shown(code, first, last):
    text = re.sub(r"\s+", " ", code.source(first, last))
    return text if len(text) <= 50 else text[:47] + "…"


def is_plain(code, index):
    return code.at(index) not in ("let", "var", "case") and not code.at(index).startswith("#")


def conditions(code):
    """Yields the clauses of each condition with the index of its keyword."""
    for index, token in enumerate(code.tokens):
        if token.kind != WORD or token.text not in ("if", "guard", "while", "where") or code.isMember(index):
            continue
        clauses, first, at = [], index + 1, index + 1
        ends = {"guard": ("else",), "where": ("{", ":", "in", "=", "}")}.get(token.text, ("{",))
        while at < len(code.tokens) and code.at(at) not in ends and not code.at(at) in ("}", ")", "]"):
            if code.at(at) == "," and code.tokens[at].kind == MARK:
                clauses.append((first, at - 1))
                first = at + 1
            at = code.tokens[at].match + 1 if code.at(at) in ("(", "[", "{") and code.tokens[at].match else at + 1
        if first < at < len(code.tokens) and code.at(at) in ends:
            clauses.append((first, at - 1))
            # A `where` of a declaration constrains types.
            if token.text != "where" or all(code.body_of(first) for first, _ in clauses):
                yield clauses, index


def negations(code):
    for clauses, _ in conditions(code):
        for first, last in clauses:
            if is_plain(code, first) and (place := negated(code, first, last)):
                yield place
    for index, token in enumerate(code.tokens):
        if token.isInfix and token.text == "?" and (first := start_of_choice(code, index)):
            if place := negated(code, first, index - 1):
                yield place


def negated(code, first, last):
    """Returns the negation of a condition; None if another operator makes the same fault."""
    signs = [token.text for token in code.tokens[first : last + 1] if token.kind == OPERATOR]
    plain = not {"&&", "||"} & set(signs)
    if plain and (signs and signs[0] == "!" and code.at(first) == "!" or sum(sign in ("==", "!=") for sign in signs) == 1):
        return None
    return Place("negation", code.tokens[first].start, code.tokens[last].end, f"!({code.source(first, last)})",
                 f"`{shown(code, first, last)}` is negated")


def start_of_choice(code, index):
    """Returns the first token of the condition before a `?`."""
    inside, at = code.tokens[index].inside, index - 1
    while at >= 0:
        token = code.tokens[at]
        if token.text in (")", "]", "}") and token.match is not None:
            at = token.match - 1
            continue
        if token.inside != inside or at == inside or token.text in ("return", "=", ",", ":", "in", "??", "?", "{", "+=", "-=", "try"):
            return at + 1 if at + 1 < index else None
        if token.first and code.tokens[at].kind == WORD and token.inside is not None and code.at(token.inside) == "{":
            return at
        at -= 1
    return None


def nots(code):
    for index, token in enumerate(code.tokens):
        if token.isPrefix and token.text == "!":
            yield Place("dropped not", token.start, token.end, "", f"the `!` before `{code.at(index + 1)}` is dropped")


def extremes(code):
    for index, token in enumerate(code.tokens):
        if token.kind == WORD and token.text in EXTREMES and code.at(index + 1) in ("(", "{") and not declares(code, index):
            yield swap("min and max", token, EXTREMES[token.text])


def declares(code, index):
    return code.at(index - 1) in DECLARES


def starts(code):
    """Returns the first and last token of each statement, with the brace that it lies in."""
    open_ends = {"=", ",", ".", "return", "throw", "->", "(", "[", "try", "await", "else"}
    found = {}
    for index, token in enumerate(code.tokens):
        inside = token.inside
        if inside is None or code.at(inside) != "{" or not code.body_of(index):
            continue
        previous, before = code.tokens[index - 1], code.at(index - 1)
        opens = index - 1 == inside or before == ":" and previous.inside == inside or before == "in" and heads(code, index - 1)
        if not (token.first or opens) or token.kind in (MARK, ATTRIBUTE, NUMBER, STRING) or token.text in ("else", "catch", "where"):
            continue
        if token.kind == OPERATOR and not token.isPrefix or token.text == "." or previous.isInfix or before in open_ends:
            continue
        if not (index - 1 == inside and is_closure_head(code, index)):
            found.setdefault(inside, []).append(index)
    for inside, of in found.items():
        ends = [next_one - 1 for next_one in of[1:]] + [code.tokens[inside].match - 1]
        for first, last in zip(of, ends):
            # A case label ends the statement before it.
            labels = [at for at in range(first + 1, last + 1)
                      if code.at(at) in ("case", "default") and code.tokens[at].inside == inside and code.tokens[at].first]
            yield first, labels[0] - 1 if labels else last, inside


def heads(code, index):
    """True if an `in` ends the parameters of a closure."""
    inside = code.tokens[index].inside
    return not any(code.at(at) == "for" and code.tokens[at].inside == inside for at in range(inside, index))


def is_closure_head(code, index):
    """True if the parameters of a closure begin at a token."""
    inside, line = code.tokens[index].inside, code.tokens[index].line
    for at in range(index, len(code.tokens)):
        if code.tokens[at].line != line or code.at(at) in ("for", "}"):
            return False
        if code.at(at) == "in" and code.tokens[at].inside == inside:
            return True
    return False


def statements(code):
    for first, last, inside in starts(code):
        word = code.at(first)
        if code.tokens[last].line - code.tokens[first].line >= LONGEST_STATEMENT or code.tokens[first].kind != WORD:
            continue
        if word in KEYWORDS - BLOCKS - JUMPS - {"try", "self", "super"} or "$" in word or code.at(first + 1) == ":":
            continue
        if word == "break" and code.at(first - 1) == ":" or word in JUMPS and code.at(inside - 1) == "else":
            continue
        if word not in BLOCKS | JUMPS and not acts(code, first, last):
            continue
        yield Place("dropped statement", code.tokens[first].start, code.tokens[last].end, "_ = 0",
                    f"`{shown(code, first, last)}` is dropped")


def acts(code, first, last):
    """True if a statement assigns or calls; an implicit result does neither or is found by the compiler."""
    inside = code.tokens[first].inside
    of = [token for token in code.tokens[first : last + 1] if token.inside == inside]
    return any(token.text == "=" or token.text.endswith("=") and token.text not in COMPARISONS for token in of) or (
        code.at(last) in (")", "}") and not any(token.isInfix for token in of))


def returns(code):
    """Inserts an early return before any statement but the only one of a body."""
    found = list(starts(code))
    for first, last, inside in found:
        body = code.body_of(first)
        alone = sum(one[2] == inside for one in found) == 1
        if inside == body.opener and alone or code.at(first) in ("return", "throw", "get", "set", "willSet", "didSet"):
            continue
        kind = body.result
        value = "nil" if kind.endswith("?") else "[]" if kind.startswith("[") and ":" not in kind else VALUES.get(kind, "0")
        if body.result and value is None:
            continue
        text = f"return {value};" if body.result else "return;"
        start = code.tokens[first].start
        yield Place("early return", start, start, text + " ", f"`{text}` before `{shown(code, first, last)}`")


def labelled(code, index):
    return code.at(index + 1) == ":" and not code.tokens[index + 1].before


def names(code, known):
    """A name becomes another one of the same declared type: a parameter, a local value or a field."""
    for index, token in enumerate(code.tokens):
        if token.kind != WORD or token.text in KEYWORDS or labelled(code, index) or declares(code, index):
            continue
        if token.text[0].isupper() or code.at(index + 1) == "(" or not (body := code.body_of(index)):
            continue
        for other in few(neighbours(code, known, index, body), token.text):
            yield swap("neighbouring name", token, other)


def few(names, salt):
    """Returns two of these names, chosen by their hash."""
    return sorted(names, key=lambda name: hashlib.sha256(f"{salt} {name}".encode()).digest())[:2]


def neighbours(code, known, index, body):
    name = code.at(index)
    own = known.fields.get(body.owner, {})
    if code.isMember(index):
        if code.at(index - 2) == "self" and name in own:
            return {other for other, kind in own.items() if kind == own[name]} - {name}
        owners = [fields for fields in code.near.values() if name in fields]
        return {other for fields in owners for other, kind in fields.items() if kind == fields[name]} - {name}
    scope = own | body.parameters
    inside = code.tokens[index].inside
    while inside is not None and inside != code.tokens[body.opener].inside:
        scope = scope | code.locals.get(inside, {})
        inside = code.tokens[inside].inside
    return {other for other, kind in scope.items() if name in scope and kind == scope[name]} - {name}


def cases(code, known):
    """An enumeration case becomes the next or the previous one with the same payload."""
    for index in range(1, len(code.tokens)):
        token, dot = code.tokens[index], code.tokens[index - 1]
        if token.kind != WORD or dot.text != "." or not code.body_of(index):
            continue
        isImplicit = dot.before or code.tokens[index - 2].kind == OPERATOR
        owner = code.at(index - 2)
        others = set()
        for kind, of in known.cases.items():
            if token.text in of and (isImplicit or owner == kind):
                same = [name for name, payload in of.items() if payload == of[token.text]]
                at = same.index(token.text)
                others |= {same[at - 1], same[(at + 1) % len(same)]} - {token.text}
        for other in few(others, token.text):
            yield Place("neighbouring case", token.start, token.end, other, f"`.{token.text}` becomes `.{other}`")


def arguments(code, known):
    """Two arguments of a call that stand beside each other change places."""
    for index, token in enumerate(code.tokens):
        if token.text != "(" or token.kind != MARK or token.match is None or token.before or not code.body_of(index):
            continue
        if code.tokens[index - 1].kind != WORD or code.at(index - 1) in KEYWORDS or declares(code, index - 1):
            continue
        if code.at(index - 1) in EXTREMES:
            continue
        of, first = [], index + 1
        for at in range(index + 1, token.match + 1):
            if at == token.match or code.at(at) == "," and code.tokens[at].inside == index:
                if at > first:
                    of.append((first + 2 if labelled(code, first) else first, at - 1))
                first = at + 1
        for one, two in zip(of, of[1:]):
            if may_swap(code, known, one, two):
                old, new = code.source(*one), code.source(*two)
                between = code.text[code.tokens[one[1]].end : code.tokens[two[0]].start]
                yield Place("swapped arguments", code.tokens[one[0]].start, code.tokens[two[1]].end, new + between + old,
                            f"`{shown(code, *one)}` and `{shown(code, *two)}` change places")


def may_swap(code, known, one, two):
    """True if two arguments are short, differ, and may have the same type."""
    texts = code.source(*one), code.source(*two)
    if texts[0] == texts[1] or max(map(len, texts)) > 40 or any("{" in text or "\n" in text or "&" == text[0] for text in texts):
        return False
    kinds = [known.kinds_of(code, *part) for part in (one, two)]
    return not all(kinds) or bool(kinds[0] & kinds[1])


class Known:
    """The fields and enumeration cases of all files."""

    def __init__(self, structures):
        self.fields, self.cases, self.kinds = {}, {}, {}
        for code in structures:
            for owner, fields in code.fields.items():
                self.fields.setdefault(owner, {}).update(fields)
                for name, kind in fields.items():
                    self.kinds.setdefault(name, set()).add(kind)
            for owner, of in code.cases.items():
                self.cases.setdefault(owner, {}).update(of)

    def kinds_of(self, code, first, last):
        """Returns the types that an argument may have; empty if nothing is known."""
        last_token, body = code.tokens[last], code.body_of(last)
        if first == last and last_token.kind == NUMBER:
            return {"Int", "Double", "UInt64", "Int64", "UInt32", "UInt8"}
        if first == last and last_token.kind == STRING:
            return {"String"}
        if last_token.kind != WORD or any(token.isInfix for token in code.tokens[first:last]):
            return set()
        if first == last and last_token.text in body.parameters:
            return {body.parameters[last_token.text]}
        return self.kinds.get(last_token.text, set())


def left_out(code):
    """Returns the lines on which a call of LEFT_OUT stands, from its name to its closing parenthesis."""
    lines = set()
    for index, token in enumerate(code.tokens):
        if token.kind != WORD or token.text not in LEFT_OUT:
            continue
        last = code.tokens[index + 1].match if code.at(index + 1) == "(" else None
        end = code.tokens[index if last is None else last].end
        lines |= set(range(code.text.count("\n", 0, token.start), code.text.count("\n", 0, end) + 1))
    return lines


def places(code, known):
    """Returns all places of a file where a fault can be drawn."""
    found = [*comparisons(code), *signs(code), *constants(code), *logic(code), *negations(code), *nots(code), *extremes(code),
             *statements(code), *returns(code), *names(code, known), *cases(code, known), *arguments(code, known)]
    skipped = left_out(code)
    kept = {}
    for place in found:
        if code.text.count("\n", 0, place.start) not in skipped:
            kept.setdefault((place.start, place.end, place.new), place)
    return list(kept.values())
