"""Splits Swift source text into tokens, and finds the parts of its structure that the drawing of faults needs."""

import re

WORD, NUMBER, STRING, OPERATOR, MARK, ATTRIBUTE = "word", "number", "string", "operator", "mark", "attribute"
PATTERNS = [
    (NUMBER, re.compile(r"0x[0-9a-fA-F_]+|0b[01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?")),
    (WORD, re.compile(r"[A-Za-z_]\w*|`\w+`|\$\w+|#\w+")),
    (OPERATOR, re.compile(r"\.\.\.|\.\.<|[/=\-+!*%<>&|^~?]+")),
    (MARK, re.compile(r"[()\[\]{},:;.\\]")),
]
REGEX = re.compile(r"/(?![ /*])(?:\\.|[^/\\\n])+/")
CLOSERS = {")": "(", "]": "[", "}": "{"}
# Words that begin a declaration.
DECLARES = {"func", "var", "let", "init", "subscript", "case", "struct", "class", "enum", "extension", "protocol", "actor",
            "typealias", "associatedtype", "deinit", "import"}
TYPES = {"struct", "class", "enum", "extension", "protocol", "actor"}


class Token:
    """A token, its place, and the index of the matching bracket. `inside` is the index of the innermost open bracket."""

    def __init__(self, kind, text, start, end):
        self.kind, self.text, self.start, self.end = kind, text, start, end
        self.line, self.first, self.before, self.after = 0, False, False, False
        self.match, self.inside = None, None

    @property
    def isInfix(self):
        return self.kind == OPERATOR and self.before and self.after

    @property
    def isPrefix(self):
        return self.kind == OPERATOR and self.before and not self.after


def end_of_comment(text, at):
    """Returns the end of a block comment, which may contain others."""
    depth = 0
    for found in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if found[0] == "/*" else -1
        if depth == 0:
            return found.end()
    return len(text)


def end_of_string(text, at):
    """Returns the end of a string literal: of one or several lines, raw or not, with interpolations."""
    hashes = re.compile(r"#*").match(text, at)[0]
    at += len(hashes)
    quotes = '"""' if text.startswith('"""', at) else '"'
    at += len(quotes)
    escape = "\\" + hashes
    while not text.startswith(quotes + hashes, at):
        if text.startswith(escape + "(", at):
            at = end_of_bracket(text, at + len(escape))
        else:
            at += len(escape) + 1 if text.startswith(escape, at) else 1
    return at + len(quotes) + len(hashes)


def end_of_bracket(text, at):
    """Returns the end of the text in brackets that begins at `at`."""
    depth = 0
    while True:
        if text[at] == '"':
            at = end_of_string(text, at)
            continue
        depth += (text[at] in "([{") - (text[at] in ")]}")
        at += 1
        if depth == 0:
            return at


def pieces(text):
    """Returns the tokens of a file without comments. Code inside `#if` is left out, because it may not be compiled."""
    found, at, skipped = [], 0, 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text.startswith("//", at):
            at = (text + "\n").find("\n", at)
        elif text.startswith("/*", at):
            at = end_of_comment(text, at)
        elif directive := re.compile(r"#(if|elseif|else|endif)\b[^\n]*").match(text, at):
            skipped += {"if": 1, "endif": -1}.get(directive[1], 0)
            at = directive.end()
        else:
            token = piece(text, at)
            if not skipped:
                found.append(token)
            at = token.end
    return found


def piece(text, at):
    """Returns the token that begins at `at`."""
    if re.compile(r'#*"').match(text, at):
        return Token(STRING, "", at, end_of_string(text, at))
    if text[at - 1] in " (" and (literal := REGEX.match(text, at)):
        return Token(STRING, "", at, literal.end())
    if attribute := re.compile(r"@\w+").match(text, at):
        end = attribute.end()
        return Token(ATTRIBUTE, attribute[0], at, end_of_bracket(text, end) if text[end] == "(" else end)
    for kind, pattern in PATTERNS:
        if match := pattern.match(text, at):
            return Token(kind, match[0], at, match.end())
    raise ValueError(f"no token at {text[at:at + 40]!r}")


def tokens(text):
    """Returns the tokens of a file with their places and brackets."""
    found, opened, line, seen = pieces(text), [], 0, 0
    for index, token in enumerate(found):
        gap = text[found[index - 1].end if index else 0 : token.start]
        line += text.count("\n", seen, token.start)
        seen = token.start
        token.line, token.first = line, "\n" in gap or index == 0
        previous = found[index - 1].text if index else "{"
        token.before = bool(gap) or previous in ("(", "[", "{", ",", ":")
        token.after = text[token.end : token.end + 1].isspace()
        if token.kind == MARK and token.text in CLOSERS:
            if opened and found[opened[-1]].text == CLOSERS[token.text]:
                token.match = opened.pop()
                found[token.match].match = index
        token.inside = opened[-1] if opened else None
        if token.kind == MARK and token.text in "([{":
            opened.append(index)
    return found


class Body:
    """A function, an initialiser or a computed property: its parameters with their types, its result, its braces."""

    def __init__(self, parameters, result, opener, owner):
        self.parameters, self.result, self.opener, self.owner = parameters, result, opener, owner


class Structure:
    """The declarations of a file: bodies by their opening brace, stored fields and enumeration cases by type."""

    def __init__(self, text):
        self.text, self.tokens = text, tokens(text)
        self.bodies, self.owners, self.fields, self.cases, self.locals = {}, {}, {}, {}, {}
        for index, token in enumerate(self.tokens):
            if token.kind == WORD and not self.isMember(index):
                if token.text in TYPES:
                    self.open_type(index)
                elif token.text in ("func", "init", "subscript"):
                    self.open_function(index)
                elif token.text in ("let", "var"):
                    self.declare(index)
                elif token.text == "case":
                    self.enumerate_cases(index)

    def at(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def isMember(self, index):
        return self.at(index - 1) == "."

    def source(self, first, last):
        """Returns the text of the tokens from `first` up to and including `last`."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def next_brace(self, index):
        """Returns the index of the brace that opens the body of a declaration; None if it has none."""
        inside = self.tokens[index].inside
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.text == "{" and token.kind == MARK and token.inside == inside:
                return index
            if token.text == "}" or token.first and token.text in DECLARES or token.text == "=":
                return None
            index = token.match + 1 if token.text in ("(", "[") and token.match else index + 1
        return None

    def open_type(self, index):
        name, brace = self.at(index + 1), self.next_brace(index + 1)
        if brace is not None and self.tokens[index + 1].kind == WORD:
            # An extension of a nested type has the name of that type.
            at = index + 1
            while self.at(at + 1) == ".":
                at += 2
            self.owners[brace] = (self.at(index), self.at(at) or name)

    def owner_of(self, index):
        """Returns the innermost type around a token."""
        inside = self.tokens[index].inside
        while inside is not None and inside not in self.owners:
            inside = self.tokens[inside].inside
        return self.owners[inside][1] if inside is not None else None

    def body_of(self, index):
        """Returns the innermost function around a token."""
        inside = self.tokens[index].inside
        while inside is not None and inside not in self.bodies:
            inside = self.tokens[inside].inside
        return self.bodies.get(inside)

    def type_at(self, index):
        """Returns the type that is written from a token on, without blanks, and the index after it."""
        inside, first, depth = self.tokens[index].inside, index, 0
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.inside != inside or token.text in ("=", "{", "where"):
                break
            if token.text == "," and depth == 0 or index > first and token.first and token.text != "->":
                break
            if token.kind == OPERATOR and token.text != "->":
                depth += token.text.count("<") - token.text.count(">")
            index = token.match + 1 if token.match and token.text in ("(", "[") else index + 1
        return re.sub(r"\s", "", self.source(first, index - 1)) if index > first else "", index

    def open_function(self, index):
        start = index + 1
        while start < len(self.tokens) and self.at(start) != "(" and start < index + 60:
            start += 1
        end = self.tokens[start].match if start < len(self.tokens) else None
        if end is None:
            return
        parameters = {}
        for at in range(start + 1, end):
            if self.at(at) == ":" and self.tokens[at].inside == start and self.tokens[at - 1].kind == WORD:
                kind, _ = self.type_at(at + 1)
                parameters[self.at(at - 1)] = kind.removeprefix("inout").removeprefix("borrowing").removeprefix("consuming")
        brace = self.next_brace(end + 1) if end + 1 < len(self.tokens) else None
        if brace is None:
            return
        arrows = [at for at in range(end + 1, brace) if self.at(at) == "->"]
        result = self.type_at(arrows[0] + 1)[0] if arrows else ""
        self.bodies[brace] = Body(parameters, result, brace, self.owner_of(index))

    def declare(self, index):
        """Records a property or a local value whose type is written."""
        if not (self.at(index + 2) == ":" and self.tokens[index + 1].kind == WORD):
            return
        kind, end = self.type_at(index + 3)
        inside = self.tokens[index].inside
        isProperty = inside is None or inside in self.owners
        if self.at(end) == "{" and self.tokens[end].inside == inside:
            self.bodies[end] = Body({}, kind, end, self.owner_of(index))
        if not isProperty:
            self.locals.setdefault(inside, {})[self.at(index + 1)] = kind
        elif self.at(index - 1) != "static":
            self.fields.setdefault(self.owner_of(index), {})[self.at(index + 1)] = kind

    def enumerate_cases(self, index):
        """Records the cases of an enumeration, each with its payload."""
        inside = self.tokens[index].inside
        if inside is None or self.owners.get(inside, ("", ""))[0] not in ("enum", "extension"):
            return
        of, at = self.cases.setdefault(self.owners[inside][1], {}), index + 1
        while self.tokens[at].kind == WORD:
            name, payload = self.at(at), ""
            at += 1
            if self.at(at) == "(" and self.tokens[at].match:
                payload, at = re.sub(r"\s", "", self.source(at, self.tokens[at].match)), self.tokens[at].match + 1
            of[name] = payload
            if self.at(at) == "=":
                at += 3 if self.at(at + 1) == "-" else 2
            if self.at(at) != ",":
                break
            at += 1
