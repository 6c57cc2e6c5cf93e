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
