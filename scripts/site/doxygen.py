# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""The declarations of the public headers, as Doxygen reads them."""

import dataclasses
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree

import repository

SETTINGS = """
PROJECT_NAME = weir
INPUT = {input}
EXCLUDE = include/weir/detail
RECURSIVE = YES
FILE_PATTERNS = *.hpp *.h
OUTPUT_DIRECTORY = {output}
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
EXTRACT_ALL = YES
SORT_MEMBER_DOCS = NO
AUTOLINK_SUPPORT = NO
WARN_IF_UNDOCUMENTED = NO
WARN_IF_INCOMPLETE_DOC = NO
WARN_AS_ERROR = NO
QUIET = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = WEIR_API=
"""
PUBLIC = {"public-type", "public-func", "public-static-func", "public-attrib", "public-static-attrib", "friend"}


@dataclasses.dataclass
class Declaration:
    """One declaration of a name."""

    kind: str  # class, struct, function, variable, alias, enum, concept, macro, friend
    scope: str  # namespaces and classes around it, such as weir::reply
    name: str
    header: str  # path in the repository
    line: int
    text: str  # as C++, not formatted, without `;`
    contract: list  # elements of the comment
    members: list = dataclasses.field(default_factory=list)
    enumerators: list = dataclasses.field(default_factory=list)  # name, initializer, contract
    bases: list = dataclasses.field(default_factory=list)
    id: str = ""


def text_of(element):
    return "".join(element.itertext()) if element is not None else ""


def joined(*parts):
    return " ".join(part.strip() for part in parts if part and part.strip())


def contract_of(element):
    return [each for name in ("briefdescription", "detaileddescription") for each in (element.find(name) if element.find(name) is not None else [])]


def template_of(element):
    """The template's head with its requires clause, and a requires clause that must stand behind."""
    parameters = element.find("templateparamlist")
    condition = text_of(element.find("requiresclause")).strip()
    if parameters is None:
        return "", f"requires {condition}" if condition else ""
    each = []
    for parameter in parameters.findall("param"):
        declared = joined(text_of(parameter.find("type")), text_of(parameter.find("declname")))
        default = text_of(parameter.find("defval"))
        each.append(declared + (f" = {default}" if default else ""))
    head = f"template <{', '.join(each)}>"
    return head + (f"\nrequires {condition}\n" if condition else "\n"), ""


def without_attributes(text):
    return re.sub(r"\s+", " ", re.sub(r"\[\[[^\]]*\]\]|\binline\b", " ", text)).strip()


def member_text(element):
    """@return the declaration as C++"""
    head, behind = template_of(element)
    kind = element.get("kind")
    name = element.findtext("name")
    kind_of_type = without_attributes(text_of(element.find("type")))
    arguments = text_of(element.find("argsstring"))
    initializer = text_of(element.find("initializer")).strip()
    if kind == "define":
        parameters = [text_of(each) for each in element.findall("param")]
        return f"#define {name}" + (f"({', '.join(parameters)})" if element.find("param") is not None else f" {initializer}" if "\n" not in initializer else "")
    if kind == "typedef":
        if text_of(element.find("definition")).startswith("using"):
            return f"{head}using {name} = {kind_of_type}{arguments}"
        return f"typedef {kind_of_type} {name}{arguments}"
    if kind == "enum":
        under = kind_of_type
        values = [each.findtext("name") + (f" {text_of(each.find('initializer'))}" if each.find("initializer") is not None else "") for each in element.findall("enumvalue")]
        return f"enum {'class ' if element.get('strong') == 'yes' else ''}{name}{f' : {under}' if under else ''} {{ {', '.join(values)}, }}"
    words = []
    if kind == "friend" and not kind_of_type.startswith("friend"):
        words.append("friend")
    if element.get("static") == "yes":
        words.append("static")
    if element.get("explicit") == "yes":
        words.append("explicit")
    if element.get("virt") in ("virtual", "pure-virtual"):
        words.append("virtual")
    if kind == "variable":
        return head + joined(*words, kind_of_type, name) + arguments + (f" {initializer}" if initializer and not initializer.startswith("{") else initializer)
    if element.get("constexpr") == "yes" and "constexpr" not in kind_of_type:
        words.append("constexpr")
    return head + joined(*words, kind_of_type, name) + arguments + (f" {behind}" if behind else "")


KINDS = {"define": "macro", "typedef": "alias"}


def member_of(element, scope):
    location = element.find("location")
    kind = element.get("kind")
    made = Declaration(KINDS.get(kind, kind), scope, element.findtext("name"), location.get("file"), int(location.get("line")), member_text(element),
                       contract_of(element), id=element.get("id"))
    if kind == "enum":
        made.enumerators = [(each.findtext("name"), text_of(each.find("initializer")), contract_of(each)) for each in element.findall("enumvalue")]
    return made


def is_hidden(name):
    """Whether a name is none that users write."""
    specialised = "<" in name and not name.split("::")[-1].startswith("operator")
    return specialised or bool(re.search(r"(^|::)detail(::|$)|@|^std(::|$)|^cereal(::|$)", name))


def run():
    """@return what Doxygen's XML says, by the id of each compound"""
    with tempfile.TemporaryDirectory() as folder:
        settings = SETTINGS.format(input=" ".join(["include/weir", "mpistream/include"]), output=folder)
        done = subprocess.run(["doxygen", "-"], input=settings, text=True, cwd=repository.ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        if done.returncode != 0 or done.stderr.strip():
            raise RuntimeError(f"doxygen: {done.stderr.strip() or f'ended with {done.returncode}'}")
        compounds = {}
        for path in sorted((pathlib.Path(folder) / "xml").glob("*.xml")):
            if path.name not in ("index.xml", "Doxyfile.xml"):
                for element in xml.etree.ElementTree.parse(path).getroot():
                    compounds[element.get("id")] = element
    return compounds


def declarations():
    """@return the public declarations of all headers in the order of the headers, and what is said of whole headers, by path."""
    found, abouts = [], {}
    classes = {}
    for element in run().values():
        kind, name = element.get("kind"), element.findtext("compoundname")
        location = element.find("location")
        if kind == "file":
            path = location.get("file")
            abouts[path] = contract_of(element)
            for member in element.iter("memberdef"):
                found.append(member_of(member, ""))
        elif is_hidden(name):
            continue
        elif kind == "namespace":
            found += [member_of(member, name) for member in element.iter("memberdef") if not is_hidden(member.findtext("name"))]
        elif kind == "concept":
            text = re.sub(r"concept\s+[\w:]+", "concept " + name.split("::")[-1], text_of(element.find("initializer"))).strip()
            found.append(Declaration("concept", name.rpartition("::")[0], name.split("::")[-1], location.get("file"), int(location.get("line")), text,
                                     contract_of(element), id=element.get("id")))
        elif kind in ("class", "struct", "union") and element.get("prot", "public") == "public":
            head, behind = template_of(element)
            made = Declaration(kind, name.rpartition("::")[0], name.split("::")[-1], location.get("file"), int(location.get("line")),
                               f"{head}{kind} {name.split('::')[-1]}{' final' if element.get('final') == 'yes' else ''}{f' {behind}' if behind else ''}",
                               contract_of(element), id=element.get("id"))
            made.bases = [(text_of(base), base.get("prot")) for base in element.findall("basecompoundref")]
            for section in element.findall("sectiondef"):
                if section.get("kind") in PUBLIC or section.get("kind") == "user-defined":
                    made.members += [member_of(member, name) for member in section.findall("memberdef") if member.get("prot") == "public"]
            made.members = [member for member in made.members if not is_plumbing(member)]
            made.members.sort(key=lambda member: member.line)
            classes[name] = made
            found.append(made)
    # Classes within classes are described with those around them.
    for name, made in classes.items():
        around = classes.get(made.scope)
        if around:
            around.members.append(made)
            around.members.sort(key=lambda member: member.line)
    unique = {}
    for made in found:
        if made.scope not in classes:
            unique.setdefault((made.header, made.line, made.name, made.text), made)
    return sorted(unique.values(), key=lambda made: (made.header, made.line)), abouts


def is_plumbing(member):
    """Friends that are classes, and what a class has from every other."""
    return member.kind == "friend" and re.match(r"(template <[^>]*>\s*)?(friend )?(class|struct)\b", member.text)
