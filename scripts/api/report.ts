// The report of what is public: a line for an export where it fits, a line for a member where it does not.
import { createHash } from "node:crypto"
import { contract } from "./contract.ts"
import { braces, type Declaration, parts } from "./declarations.ts"

/** A public module with its declarations. */
export interface Module {
  readonly name: string
  readonly declarations: ReadonlyArray<Declaration>
}

/** A longer line is wrapped; one that cannot be, and exceeds `MAX_TEXT`, is cut and gets a digest. */
const WIDTH = 110
const MAX_TEXT = 700
const SHOWN = 200
const MAX_DECLARATION = 2_000
/**
 * The contract, whose type @effect/platform makes of all groups (the report lists its operations instead), and tables
 * with a row for each field of a strategy.
 */
const SPELLED_OUT = /^export declare const (?:\w+: HttpApi\.HttpApi<|(?:Full|Update|List)View:)/

export const report = (modules: ReadonlyArray<Module>): string =>
  modules.map((module) => [module.name, ...linesOf(module), ""].join("\n")).join("\n")

const linesOf = ({ declarations }: Module): ReadonlyArray<string> => {
  const bases = new Map(
    declarations.flatMap(({ exported, name, text }) =>
      exported || !name.endsWith("_base") ? [] : [[name, text.replace(/^declare const \w+: /, "")]]
    )
  )
  return shown(declarations)
    .map(({ kind, name, text }) => [name, kind, rendered(kind, name, text, bases)] as const)
    .sort(([a, kindA], [b, kindB]) => (a === b ? compare(kindA, kindB) : compare(a, b)))
    .flatMap(([, , text]) => broken(text, 1))
}

/** What is public, and the constants of which a public declaration is made (`typeof orderFields`). */
const shown = (declarations: ReadonlyArray<Declaration>): ReadonlyArray<Declaration> => {
  const open = declarations.filter(isPublic)
  const named = new Set(
    open.flatMap(({ text }) => [...text.matchAll(/\btypeof (\w+)/g)].map(([, name]) => name))
  )
  return declarations.filter(
    (one) => isPublic(one) || (!one.exported && one.kind === "const" && named.has(one.name))
  )
}

/** Declarations that are too long to be read: their parts want names. */
export const unreadable = ({ declarations, name }: Module): ReadonlyArray<string> =>
  shown(declarations)
    .filter(({ text }) => text.length > MAX_DECLARATION && !SPELLED_OUT.test(text))
    .map(
      (one) =>
        `${name}: ${one.name} is declared in ${one.text.length} characters, ${MAX_DECLARATION} at most: name its parts`
    )

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Whether the report and the reference name it. */
export const isPublic = ({ doc, exported }: Declaration) => exported && !/@internal\b/.test(doc)

const rendered = (
  kind: Declaration["kind"],
  name: string,
  text: string,
  bases: ReadonlyMap<string, string>
): string => {
  const plain = tidy(text.replace(/^(?:export )?(?:declare )?/, "").replace(/^abstract /, ""))
  if (kind === "from" || kind === "namespace") {
    const from = /from ["'](.*)["']/.exec(plain)?.[1]
    return from === undefined
      ? name
      : `${kind === "namespace" ? `namespace ${name}` : name} from ${from.replace(/\.ts$/, "")}`
  }
  // Made by Data.taggedEnum: the type of the same name says it all.
  if (kind === "const" && /readonly \$is:|: Data\.TaggedEnum\.Constructor</.test(plain))
    return `const ${name}: constructors of ${name}`
  if (/^const \w+: HttpApi</.test(plain)) return contract(plain)
  const [, base] = /^class \w+ extends (\w+_base)/.exec(plain) ?? []
  return base === undefined ? plain : classOf(name, tidy(bases.get(base) ?? ""), plain)
}

/** A class by what it is: a service, an error, or a schema, with its members and what it adds of its own. */
const classOf = (name: string, base: string, text: string): string => {
  const own = braces(text)?.[1] ?? ""
  const tag = /"([^"]*)"/.exec(base)?.[1] ?? ""
  const inside =
    braces(base.replace(/readonly _tag: Schema\.tag<"[^"]*">;/, "").replace(/\{\s*\} & /, ""))?.[1] ?? ""
  const members = [inside, own]
    .map((some) => some.replace(/;$/, ""))
    .filter((some) => some !== "")
    .join("; ")
  if (/^new <A extends Record<string, any>/.test(base)) {
    const fields = braces(text.replace(/ \{[^{}]*\}$/, ""))?.[1] ?? ""
    return `error ${name} { ${fields} }`
  }
  if (/^Context\.ReferenceClass</.test(base)) return `reference ${name} "${tag}" { ${members} }`
  if (/^Context\.TagClass</.test(base)) return `service ${name} "${tag}" { ${members} }`
  if (/^Schema\.TaggedErrorClass</.test(base)) return `error ${name} { ${members} }`
  return own === "" ? `class ${name} extends ${base}` : `class ${name} extends ${base} & { ${own} }`
}

const tidy = (text: string): string =>
  text
    .replace(/import\(["'][^"']*["']\)\./g, "")
    // Names of destructured parameters are internal to a function.
    .replace(/\{(?:[^{}]|\{[^{}]*\})*\}: /g, "options: ")
    // `Effect.Effect<A>` is written as `Effect<A>`.
    .replace(/\b(\w+)\.\1\b/g, "$1")
    .replace(/\s+/g, " ")
    .trim()

const broken = (text: string, depth: number): ReadonlyArray<string> => {
  const indent = "  ".repeat(depth)
  if (indent.length + text.length <= WIDTH) return [indent + text]
  const [before, inside, after] = (depth < 3 ? braces(text) : undefined) ?? []
  if (
    before === undefined ||
    inside === undefined ||
    after === undefined ||
    inside === "" ||
    before.length > WIDTH
  ) {
    return wrapped(text, indent)
  }
  return [
    `${indent}${before}{`,
    ...parts(inside, ";").flatMap((member) => broken(member, depth + 1)),
    ...wrapped(`}${after}`, indent)
  ]
}

/** Over several lines, broken at spaces. */
const wrapped = (text: string, indent: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = indent
  for (const word of cut(text).split(" ")) {
    if (line.trim() !== "" && line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = `${indent}    `
    }
    line += line.trim() === "" ? word : ` ${word}`
  }
  return [...lines, line]
}

const cut = (text: string) =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, SHOWN)}… (${text.length} characters, ${digestOf(text)})`

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8)
