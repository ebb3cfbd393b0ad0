# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Comments of headers, as Doxygen reads them, as Markdown."""

import re

LISTS = {"param": "Parameters", "templateparam": "Template parameters", "exception": "Throws", "retval": "Returned values"}
SECTIONS = {"return": "Returns", "see": "See also", "note": "Note", "warning": "Warning", "attention": "Attention", "pre": "Requires", "since": "Since"}
SIGNS = {"ndash": "–", "mdash": "—", "nonbreakablespace": " ", "linebreak": " ", "sp": " ", "hellip": "…"}


def escaped(text):
    """@return Markdown that shows this text"""
    return re.sub(r"([\\`*<>\[\]|&]|(?<!\w)_|_(?!\w))", lambda sign: {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(sign[1], "\\" + sign[1]), text)


def code(text, link):
    """@param link: called with the code; @return the page of the name that it is, or None"""
    marks = "`" * (1 + max([0] + [len(run) for run in re.findall("`+", text)]))
    space = " " if len(marks) > 1 else ""
    shown = f"{marks}{space}{text}{space}{marks}"
    target = link(text)
    return f"[{shown}]({target})" if target else shown


def inline(element, link):
    """@return the Markdown of what stands in an element of running text"""
    parts = [escaped(element.text or "")]
    for each in element:
        if each.tag == "computeroutput":
            parts.append(code("".join(each.itertext()), link))
        elif each.tag in SIGNS:
            parts.append(SIGNS[each.tag])
        elif each.tag == "emphasis":
            parts.append(f"*{inline(each, link)}*")
        elif each.tag == "bold":
            parts.append(f"**{inline(each, link)}**")
        elif each.tag == "ulink":
            parts.append(f"[{inline(each, link)}]({each.get('url')})")
        elif each.tag == "ref":
            parts.append(inline(each, link))
        else:
            raise ValueError(f"the comment has an element '{each.tag}', which scripts/site/contracts.py doesn't know; write it in another way")
        parts.append(escaped(each.tail or ""))
    return "".join(parts)


BLOCKS = {"parameterlist", "simplesect", "itemizedlist", "orderedlist", "verbatim", "preformatted", "programlisting", "para"}


def blocks(element, link):
    """@return the paragraphs and lists that an element holds, as Markdown, those of a tag such as @throws as (title, text)"""
    found, run = [], type(element)("para")
    run.text = element.text

    def end_run(tail):
        nonlocal run
        text = inline(run, link).strip()
        if text:
            found.append(re.sub(r"\s+", " ", text) if "\n" in text else text)
        run = type(element)("para")
        run.text = tail

    for each in element:
        if each.tag not in BLOCKS:
            run.append(each)
            continue
        end_run(each.tail)
        if each.tag == "para":
            found += blocks(each, link)
        elif each.tag in ("verbatim", "preformatted"):
            found.append("```cpp\n" + "".join(each.itertext()).strip("\n") + "\n```")
        elif each.tag == "programlisting":
            lines = [listing_line(line) for line in each.findall("codeline")]
            found.append("```cpp\n" + "\n".join(lines) + "\n```")
        elif each.tag == "orderedlist":
            raise ValueError("a line of the comment begins with a number and a point, which makes it a list; break it elsewhere")
        elif each.tag == "itemizedlist":
            found.append("\n".join(indented("- ", "\n\n".join(flat(blocks(item, link)))) for item in each.findall("listitem")))
        elif each.tag == "simplesect":
            found.append((SECTIONS[each.get("kind")], "\n\n".join(flat(blocks(each, link)))))
        else:
            show = thrown if each.get("kind") == "exception" else parameter
            items = []
            for item in each.findall("parameteritem"):
                names = [show("".join(name.itertext()).strip(), link) for name in item.iter("parametername")]
                items.append(indented("- ", " ".join([", ".join(names)] + flat(blocks(item.find("parameterdescription"), link)))))
            found.append((LISTS[each.get("kind")], "\n".join(items)))
    end_run(None)
    return found


def parameter(name, link):
    return code(name, link) + ":"


def thrown(word, link):
    """@return the word behind @throws: a type, or the first of a sentence such as "the exceptions of `f`" """
    name, sign = re.fullmatch(r"(.*?)([,;:]?)", word).groups()
    return (code(name, link) if name.startswith("std::") or link(name) else escaped(name)) + sign


def listing_line(line):
    return "".join((part.text or "") + (" " if part.tag == "sp" else "") + (part.tail or "") for part in line.iter() if part is not line).rstrip()


def indented(mark, text):
    return mark + (" " * (4 - len(mark))) + text.replace("\n", "\n    ")


def flat(parts):
    return [part if isinstance(part, str) else f"**{part[0]}** {part[1]}" for part in parts]


def markdown(contract, link):
    """@return the whole contract: first the text, then what it says of parameters, results and errors
    @throws ValueError if it uses what this file doesn't know"""
    texts, tagged = [], {}
    for element in contract:
        for part in blocks(element, link):
            if isinstance(part, str):
                texts.append(as_sentence(part) if not texts else part)
            else:
                tagged.setdefault(part[0], []).append(part[1])
    order = list(LISTS.values()) + list(SECTIONS.values())
    for title in sorted(tagged, key=order.index):
        joined = "\n".join(tagged[title])
        texts.append(f"**{title}**" + (f"\n\n{joined}" if joined.startswith("- ") else f" {joined}"))
    return "\n\n".join(texts)


def as_sentence(text):
    """Comments behind a declaration are phrases: `port at which it listens`."""
    if not re.match(r"[a-z]", text) or "\n" in text:
        return text
    return text[0].upper() + text[1:] + ("" if text[-1] in ".:!?" else ".")


def first_sentence(contract):
    """@return the first sentence as text with code; what @return says, if there is no other text"""
    for wanted in (True, False):
        for element in contract:
            for part in blocks(element, lambda _: None):
                if isinstance(part, str) if wanted else not isinstance(part, str) and part[0] == "Returns":
                    text = part if wanted else f"Returns {part[1]}"
                    if text.startswith("```"):
                        continue
                    text = re.sub(r"\s+", " ", text)
                    found = re.match(r"(?:[^.`]|`[^`]*`|\.(?! [A-Z]|$))*", text)[0].strip().rstrip(":;")
                    return as_sentence(found + ".")
    return ""
