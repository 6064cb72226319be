#!/usr/bin/env python3
"""GCC 12.2 miscompiles ordinary-looking coroutines. The rule that keeps clear of it: one co_await per statement,
its value into a named local, its arguments names or literals, and never in a condition.

Works on statements of comment- and literal-stripped source: the body of a lambda is statements of its own and
leaves only a mark in the statement around it."""
import re
import sys

from source import code_files, report, root_argument, strip

LAMBDA = "\x01"
_BLOCK_WORDS = re.compile(r"(^|[^\w])(else|do|try|const|noexcept|mutable|override|final)$")
_TYPE_BODY = re.compile(r"^(template\s*<.*>\s*)?(inline\s+|export\s+)*(namespace|struct|class|union|enum|extern)\b", re.S)
_CONDITION = re.compile(r"\b(if(?:\s+constexpr)?|while|switch|for)\s*(\()")
_LABEL = re.compile(r"^\s*((case\b[^:;?]*(::[^:;?]*)*|default|public|private|protected)\s*:(?!:)|else\b|do\b)\s*")


def _opens_block(before):
    """Is the '{' after the statement text `before` a block (of a function, lambda, loop, type)?"""
    text = before.rstrip()
    if not text or text[-1] in "):;}" or text.endswith((LAMBDA, "]]")) or _BLOCK_WORDS.search(text):
        return True
    if _TYPE_BODY.match(text.lstrip()):
        return True
    if re.search(r"(^|[({,=\s])\[[^\[\]]*\]$", text):
        return True  # a lambda without parameter list
    return bool(re.search(r"\)[^(){};]*->[^(){};]*$", text))  # trailing return type


def statements(text):
    """(line, statement) of stripped C++ text, line = where the statement begins."""
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.M)
    found = []
    stack = []  # what was being read when each '{' of a block opened
    current, line, start, depth = [], 1, 1, 0
    kinds = []

    def end():
        statement = "".join(current).strip()
        if statement:
            found.append((start, statement))
        current.clear()

    for character in text:
        if character == "{":
            before = "".join(current)
            if _opens_block(before):
                kinds.append("block")
                lambda_inside = depth > 0 or _inside_expression(before)
                if lambda_inside:
                    stack.append((list(current), start, depth))
                    current.clear()
                else:
                    end()
                    stack.append(None)
                depth = 0
            else:
                kinds.append("init")
                current.append(character)
        elif character == "}":
            if kinds and kinds.pop() == "init":
                current.append(character)
            else:
                end()
                outer = stack.pop() if stack else None
                if outer:
                    current[:], start, depth = outer
                    current.append(LAMBDA)
                else:
                    depth = 0
        elif character == ";" and depth == 0:
            end()
        else:
            depth += {"(": 1, ")": -1}.get(character, 0)
            if not current and not character.isspace():
                start = line
            if current or not character.isspace():
                current.append(character)
        if character == "\n":
            line += 1
    end()
    return found


def _inside_expression(before):
    """The block belongs to a lambda of an unfinished statement: `auto f = [] {`, `return [x](int) {`."""
    return bool(re.search(r"(^|[({,=&|\s])\[[^\[\]]*\]\s*(\([^{}]*\)[^(){}]*)?$", before.strip())) and not re.match(
        r"\[\[", before.strip()
    )


def _group_end(text, opening):
    depth = 0
    for position in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    return len(text) - 1


def check_statement(statement):
    """The problems of one statement, by name."""
    if "co_await" not in statement:
        return
    rest = statement
    while True:  # conditions and labels in front of the statement proper
        label = _LABEL.match(rest)
        condition = _CONDITION.match(rest)
        if condition:
            end = _group_end(rest, condition.start(2))
            inside = rest[condition.start(2) + 1 : end]
            loop_over_value = condition.group(1) == "for" and ";" not in inside
            if "co_await" in inside and not loop_over_value:
                yield "co_await in a condition: await into a named local first"
            if "co_await" in inside and loop_over_value:
                yield from _check_await(inside.split(":", 1)[1].strip())
            rest = rest[end + 1 :].strip()
        elif label:
            rest = rest[label.end() :]
        else:
            break
    if "co_await" in rest:
        yield from _check_await(rest)


def _check_await(text):
    if len(re.findall(r"\bco_await\b", text)) > 1:
        yield "more than one co_await in a statement"
    if re.search(r"\?", text):
        yield "co_await beside ?: use if/else with named locals"
    if re.search(r"[(,]\s*\[(?!\s*(&[\w\s,&]*)?\])", text):
        yield "closure with captures in the statement of a co_await: name it first"
    if "{" in text:
        yield "braces in the statement of a co_await: name the value first"
    before = text.split("co_await", 1)[0].strip()
    plain = before in ("", "co_return", "(void)") or re.fullmatch(r"[^()]*[^=!<>+\-*/%&|^()]\s*=", before)
    if not plain:
        yield "the value of co_await goes into a named local first"


def check_text(text):
    for line, statement in statements(strip(text)):
        for problem in check_statement(statement):
            yield line, problem


def check(root):
    for file in code_files(root):
        for line, problem in check_text(file.read_text()):
            yield f"{file.relative_to(root)}:{line}: {problem}"


if __name__ == "__main__":
    sys.exit(report(check(root_argument())))
