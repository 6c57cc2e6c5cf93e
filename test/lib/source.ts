/** Parses TypeScript files with patterns for house.test.ts: TypeScript 7 has no API for this. */
export interface File {
  readonly path: string
  readonly text: string
}

export interface Source extends File {
  /** The text without comments. */
  readonly bare: string
  /** The text without comments, strings and regular expressions. */
  readonly code: string
}

export interface Import {
  readonly line: number
  readonly specifier: string
  /** The imported names as they are exported; `*` for a namespace. */
  readonly names: ReadonlyArray<string>
}

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/
const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/
const TEMPLATE = /`(?:\\.|\$\{[^{}`]*\}|[^`\\])*`/
const REGEXP =
  /(?<=(?:[(,=:[!&|?{};+]|=>|return)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/
const TOKEN = new RegExp([COMMENT, STRING, TEMPLATE, REGEXP].map(({ source }) => source).join("|"), "g")

export const source = ({ path, text }: File): Source => ({
  path,
  text,
  bare: text.replace(TOKEN, (token) => (/^\/[/*]/.test(token) ? blank(token) : token)),
  code: text.replace(TOKEN, (token) =>
    token.startsWith("`")
      ? token.replace(/\$\{[^{}`]*\}|[\s\S]/g, (part) => (part.length > 1 ? part : blank(part)))
      : blank(token)
  )
})

const blank = (token: string) => token.replace(/[^\n]/g, " ")

const IMPORT =
  /\b(?:import|export)\b((?:(?!\b(?:import|export)\b)[^"'`;()=])*?)\bfrom\s*["']([^"']+)["']|\bimport\s*\(\s*["']([^"']+)["']|\bimport\s*["']([^"']+)["']/g

export const imports = ({ bare }: Source): ReadonlyArray<Import> =>
  [...bare.matchAll(IMPORT)].map((hit) => ({
    line: locate(bare, hit.index),
    specifier: hit[2] ?? hit[3] ?? hit[4] ?? "",
    names: namesOf(hit[1] ?? "")
  }))

const namesOf = (clause: string): ReadonlyArray<string> =>
  clause.includes("{")
    ? [...clause.slice(clause.lastIndexOf("{")).matchAll(/(?:^|[{,])\s*(?:type\s+)?(\w+)/g)].map(
        ([, name = ""]) => name
      )
    : ["*"]

export const locate = (text: string, index: number) => text.slice(0, index).split("\n").length

/** The lists of parameters in code without comments and strings: where each begins, and how many it has. */
export const parameterLists = (code: string) =>
  [...code.matchAll(/\(/g)].flatMap(({ index }) => {
    const end = closing(code, index)
    const parts = splitAt(code.slice(index + 1, end))
    const isList = /^\s*=>/.test(code.slice(end + 1)) || parts.some((part) => ANNOTATED.test(part))
    return isList ? [{ at: index, count: parts.length }] : []
  })

/** The bodies of functions in code without comments and strings: the lines that each begins and ends on. */
export const functionBodies = (code: string) =>
  [...code.matchAll(BODY)].flatMap((hit) => {
    const open = hit.index + hit[0].length - 1
    if (hit[1] !== undefined && CONTROL.test(hit[1])) return []
    return [{ from: locate(code, hit.index), to: locate(code, closing(code, open)) }]
  })

/** An arrow with a body in brackets; or a function or method with its parameters and the type of its result. */
const BODY =
  /=>\s*[({]|(?:\bfunction\b\s*\*?\s*(?:\w+\s*)?|(\b\w+)\s*)(?:<[^<>{}]*>)?\((?:[^(){}]|\{[^{}]*\}|\([^()]*\))*\)\s*(?::[^={};]*(?:<[^{};]*>)?)?\{/g
const CONTROL = /^(?:if|for|while|switch|catch|with)$/

/** A parameter with its type: no argument of a call begins like it. */
const ANNOTATED =
  /^\s*(?:(?:private|readonly)\s+)*(?:\.\.\.)?(?:\w+|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\[[^[\]]*\])\??\s*:/

/** The index of the bracket that closes the one at `start`. */
const closing = (code: string, start: number): number => {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    if ("([{".includes(code.charAt(at))) depth++
    else if (")]}".includes(code.charAt(at)) && --depth === 0) return at
  }
  return code.length
}

/** The parts between commas that stand in no bracket; beyond these, `<` compares. */
const splitAt = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = [""]
  let depth = 0
  let angles = 0
  for (const [at, letter] of [...text].entries()) {
    if ("([{".includes(letter)) depth++
    else if (")]}".includes(letter)) depth--
    else if (depth === 0 && letter === "<") angles++
    else if (depth === 0 && letter === ">" && text[at - 1] !== "=") angles--
    if (letter === "," && depth === 0 && angles === 0) parts.push("")
    else parts[parts.length - 1] += letter
  }
  return parts.filter((part) => part.trim() !== "")
}
