// Reads what tsc emits as declarations: regular enough for patterns, and TypeScript 7 has no API to ask.

/** A declaration of a module. A constant and a type of one name are two declarations. */
export interface Declaration {
  readonly name: string
  readonly kind: "const" | "class" | "function" | "interface" | "type" | "from" | "namespace"
  /** The declaration without comments, on one line. */
  readonly text: string
  /** Its doc comment without asterisks; empty if there is none. */
  readonly doc: string
  readonly exported: boolean
}

interface Statement {
  readonly doc: string
  readonly text: string
}

export const declarations = (text: string): ReadonlyArray<Declaration> =>
  statements(text).flatMap(({ doc, text }) => {
    const exported = /^export\b/.test(text)
    const all = (kind: Declaration["kind"], names: ReadonlyArray<string>) =>
      names.map((name) => ({ name, kind, text, doc, exported }))
    const space = /^export \* as (\w+) from/.exec(text)?.[1]
    if (space !== undefined) return all("namespace", [space])
    const list = /^export (?:type )?\{(.*)\}/.exec(text)?.[1]
    if (list !== undefined) {
      const names = list.split(",").map((entry) => /(\w+)\s*$/.exec(entry)?.[1] ?? "")
      return all(
        "from",
        names.filter((name) => name !== "")
      )
    }
    const [, word, name] =
      /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(const|let|var|class|function|interface|type|enum|namespace) (\w+)/.exec(
        text
      ) ?? []
    if (word === undefined || name === undefined) return []
    const kind = KINDS[word]
    return kind === undefined ? [] : all(kind, [name])
  })

const KINDS: Readonly<Record<string, Declaration["kind"]>> = {
  const: "const",
  let: "const",
  var: "const",
  class: "class",
  function: "function",
  interface: "interface",
  type: "type",
  enum: "type",
  namespace: "namespace"
}

const BLOCK = /^\s*(?:export )?(?:declare )?(?:abstract )?(?:interface|class|namespace)\b/

const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[(){}[\];]|\s+|[^\s(){}[\];"'`/]+|\//g

/** The top-level statements, each with its doc comment. */
const statements = (source: string): ReadonlyArray<Statement> => {
  const found: Array<Statement> = []
  let doc = ""
  let text = ""
  let depth = 0
  const end = () => {
    if (text.trim() !== "") {
      found.push({ doc, text: text.replace(/\s+/g, " ").trim().replace(/;$/, "") })
      doc = ""
    }
    text = ""
  }
  for (const { 0: token, index } of source.matchAll(TOKEN)) {
    if (token.startsWith("/*") || token.startsWith("//")) {
      if (text.trim() === "" && token.startsWith("/**")) doc = words(token)
      continue
    }
    if ("([{".includes(token)) depth += 1
    if (")]}".includes(token)) depth -= 1
    text += token
    if (depth > 0) continue
    // A brace that closes a type argument of what is extended is not at the end of its line.
    if (
      token === ";" ||
      (token === "}" && BLOCK.test(text) && /^\n|^$/.test(source.slice(index + 1, index + 2)))
    )
      end()
  }
  end()
  return found
}

/** What a comment says. */
export const words = (comment: string): string =>
  comment
    .replace(/^\/\*\*?|\*\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim()

/** Splits a text at separators outside of brackets. */
export const parts = (text: string, separator: string): ReadonlyArray<string> => {
  const found: Array<string> = [""]
  let depth = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if ("([{".includes(token)) depth += 1
    if (")]}".includes(token)) depth -= 1
    if (token === separator && depth === 0) found.push("")
    else found.push((found.pop() ?? "") + token)
  }
  return found.map((part) => part.trim()).filter((part) => part !== "")
}

/** The text before, inside and after the first pair of braces. */
export const braces = (
  text: string
): readonly [before: string, inside: string, after: string] | undefined => {
  let depth = 0
  let from = -1
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{") {
      if (depth === 0) from = index
      depth += 1
    }
    if (token !== "}") continue
    depth -= 1
    if (depth === 0) return [text.slice(0, from), text.slice(from + 1, index).trim(), text.slice(index + 1)]
  }
  return undefined
}

/** Where the bracket at a position is closed. The `>` of an arrow closes none. */
export const closing = (text: string, from: number): number => {
  let depth = 0
  for (const { 0: token, index } of text.slice(from).matchAll(BRACKETS)) {
    if (OPENING.has(token)) depth += 1
    if (CLOSING.has(token)) depth -= 1
    if (depth === 0 && CLOSING.has(token)) return from + index
  }
  return text.length
}

const OPENING: ReadonlySet<string> = new Set("([{<")
const CLOSING: ReadonlySet<string> = new Set(")]}>")
const BRACKETS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|=>|[()[\]{}<>]/g
