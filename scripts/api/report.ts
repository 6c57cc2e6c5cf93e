// The report of what is public: a line for an export where it fits, a line for a member where it does not.
import { createHash } from "node:crypto"
import { braces, type Declaration, parts } from "./declarations.ts"

/** A door with what its module declares. */
export interface Module {
  readonly name: string
  readonly declarations: ReadonlyArray<Declaration>
}

/** A line is broken up beyond this; what cannot be is cut at `MAX_LINE`, with a digest that changes when it does. */
const WIDTH = 110
const MAX_LINE = 260

export const report = (modules: ReadonlyArray<Module>): string =>
  modules.map((module) => [module.name, ...linesOf(module), ""].join("\n")).join("\n")

const linesOf = ({ declarations }: Module): ReadonlyArray<string> => {
  const bases = new Map(
    declarations.flatMap(({ exported, name, text }) =>
      exported || !name.endsWith("_base") ? [] : [[name, text.replace(/^declare const \w+: /, "")]]
    )
  )
  return declarations
    .filter(isPublic)
    .map(({ kind, name, text }) => [name, kind, rendered(kind, name, text, bases)] as const)
    .sort(([a, kindA], [b, kindB]) => (a === b ? compare(kindA, kindB) : compare(a, b)))
    .flatMap(([, , text]) => broken(text, 1))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Whether the report and the reference name it. */
export const isPublic = ({ doc, exported }: Declaration) => exported && !/@internal\b/.test(doc)

const rendered = (
  kind: Declaration["kind"],
  name: string,
  text: string,
  bases: ReadonlyMap<string, string>
): string => {
  const plain = tidy(text.replace(/^export (?:declare )?/, "").replace(/^abstract /, ""))
  if (kind === "from" || kind === "namespace") {
    const from = /from ["'](.*)["']/.exec(plain)?.[1]
    return from === undefined ? name : `${kind === "namespace" ? `namespace ${name}` : name} from ${from.replace(/\.ts$/, "")}`
  }
  const [, base] = /^class \w+ extends (\w+_base)/.exec(plain) ?? []
  return base === undefined ? plain : classOf(name, tidy(bases.get(base) ?? ""), plain)
}

/** A class by what it is: a service, an error, or a schema, with its members and what it adds of its own. */
const classOf = (name: string, base: string, text: string): string => {
  const own = braces(text)?.[1] ?? ""
  const tag = /"([^"]*)"/.exec(base)?.[1] ?? ""
  const inside = braces(base.replace(/\{ readonly _tag: Schema\.tag<"[^"]*">; \} & /, ""))?.[1] ?? ""
  const members = [inside, own].map((some) => some.replace(/;$/, "")).filter((some) => some !== "").join("; ")
  if (/^Context\.TagClass</.test(base)) return `service ${name} "${tag}" { ${members} }`
  if (/^Schema\.TaggedErrorClass</.test(base)) return `error ${name} "${tag}" { ${members} }`
  return own === "" ? `class ${name} extends ${base}` : `class ${name} extends ${base} & { ${own} }`
}

const tidy = (text: string): string =>
  text
    .replace(/import\(["'](?:[^"']*\/)?([^"'/]+?)(?:\.ts)?["']\)\./g, "$1.")
    // Effect.Effect<A> says no more than Effect<A>.
    .replace(/\b(\w+)\.\1\b/g, "$1")
    .replace(/\s+/g, " ")
    .trim()

const broken = (text: string, depth: number): ReadonlyArray<string> => {
  const indent = "  ".repeat(depth)
  if (indent.length + text.length <= WIDTH) return [indent + text]
  const [before, inside, after] = (depth < 3 ? braces(text) : undefined) ?? []
  if (before === undefined || inside === undefined || after === undefined || inside === "") return [indent + cut(text)]
  if (before.length > MAX_LINE) return [indent + cut(text)]
  return [
    `${indent}${before}{`,
    ...parts(inside, ";").flatMap((member) => broken(member, depth + 1)),
    `${indent}}${cut(after)}`
  ]
}

const cut = (text: string) =>
  text.length <= MAX_LINE
    ? text
    : `${text.slice(0, MAX_LINE - 60)}… (${text.length} characters, ${createHash("sha256").update(text).digest("hex").slice(0, 8)})`
