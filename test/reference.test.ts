// The OpenAPI reference.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { contract } from "../scripts/api/contract.ts"
import { type Declaration, declarations } from "../scripts/api/declarations.ts"
import { difference } from "../scripts/api/difference.ts"
import { doors, open } from "../scripts/api/doors.ts"
import { examples, padded } from "../scripts/api/examples.ts"
import { halfTold, undocumented } from "../scripts/api/flaws.ts"
import { handed } from "../scripts/api/modules.ts"
import { report } from "../scripts/api/report.ts"
import { mistagged, names } from "../scripts/api/tags.ts"
import { plain } from "../scripts/reference/plain.ts"
import { ports } from "../scripts/reference/ports.ts"

const root = resolve(import.meta.dir, "..")
const moduleOf = (text: string) => ({ name: "signalbox/domain/A", declarations: declarations(text) })
const reported = (text: string) =>
  report([moduleOf(text)])
    .split("\n")
    .slice(1, -1)

const EMITTED = `import * as Context from "effect/Context";
/** Whole. */
export declare const AccountId: Schema.brand<typeof Schema.Int, "AccountId">;
export type AccountId = typeof AccountId.Type;
declare const Store_base: Context.TagClass<Store, "signalbox/services/Store", {
    /** The caller's own. */
    readonly get: (account: AccountId, { id }: Key) => Effect.Effect<Row, import("../domain/A.ts").NotFound>;
}>;
/** Rows. */
export declare class Store extends Store_base {
    static readonly layer: Layer.Layer<Store, never, never>;
}
declare const Bad_base: new <A extends Record<string, any> = {}>(args: VoidIfEmpty<A>) => YieldableError & {
    readonly _tag: "Bad";
} & Readonly<A>;
export declare class Bad extends Bad_base<{
    readonly reason: string;
}> {
}
/** @internal */
export declare const hidden: 1;
declare const own: 2;
export {};
`

describe("the report of exports", () => {
  test("has a line for each export, by its kind", () => {
    expect(reported(EMITTED)).toEqual([
      '  const AccountId: Schema.brand<typeof Schema.Int, "AccountId">',
      "  type AccountId = typeof AccountId.Type",
      "  error Bad { readonly reason: string; }",
      '  service Store "signalbox/services/Store" {',
      "    readonly get: (account: AccountId, options: Key) => Effect<Row, NotFound>",
      "    static readonly layer: Layer<Store, never, never>",
      "  }"
    ])
  })

  test("changes with any signature, also at the end of one that is cut", () => {
    const wide = (last: string) =>
      reported(
        `export declare const a: ${Array.from({ length: 300 }, (_, i) => `"${i}"`).join(" | ")} | ${last};`
      )
    expect(wide("1").join("").length).toBeLessThan(400)
    expect(wide("1")).not.toEqual(wide("2"))
    expect(reported(EMITTED.replace("Row,", "Row | undefined,"))).not.toEqual(reported(EMITTED))
  })

  test("shows what changed, below the module it belongs to", () => {
    const before = "signalbox/a\n  const a: 1\n  const b: 2\n\nsignalbox/b\n  type C = 3\n"
    expect(difference(before, before)).toEqual([])
    expect(difference(before, before.replace("b: 2", "b: 4").replace("  type C = 3\n", ""))).toEqual([
      "signalbox/a",
      "-  const b: 2",
      "+  const b: 4",
      "signalbox/b",
      "-  type C = 3"
    ])
  })

  test("lists the operations of the contract, but not the dashboard's own", () => {
    const endpoint = (name: string, method: string, success: string) =>
      `HttpApiEndpoint<"${name}", "${method}", { readonly id: number; }, never, never, never, ${success}, Problem, never, never>`
    const api = `const Api: HttpApi<"signalbox", HttpApiGroup<"signals", ${endpoint("get", "GET", "A")}, never, never, false> | HttpApiGroup<"dashboard", ${endpoint("overview", "GET", "B")}, never, never, false>, Problem, never>`
    expect(contract(api)).toBe(
      'const Api: HttpApi<"signalbox", Problem, never> { signals.get GET /v1/signals/:id () => Effect<A, Problem> }'
    )
    expect(contract("const Api: number")).toBe("const Api: number")
  })
})

describe("the check of the documentation", () => {
  test("finds an export without a comment, unless it is a type named like its value", () => {
    expect(undocumented(moduleOf(EMITTED))).toEqual(["signalbox/domain/A: Bad has no doc comment"])
  })

  const port = (doc: string): Declaration => ({ name: "P", kind: "class", text: "", doc, exported: true })
  const WHOLE =
    "Rows. A port.\n\n**An implementation keeps**\n\n- Order.\n\n**Proved by** `PContract` of `signalbox/testing`.\n\n@category Ports"
  test.each([
    [WHOLE, 0],
    [WHOLE.replace("- Order.", ""), 1],
    [WHOLE.replace("`PContract` of", "somebody in"), 1],
    [WHOLE.replace("@category Ports", ""), 1],
    ["Rows. A port.", 3],
    ["No such thing.", 0]
  ])("demands that a port says what it asks and what proves it: %j", (doc, flaws) => {
    expect(halfTold({ name: "m", declarations: [port(doc)] })).toHaveLength(flaws)
  })

  test("finds every contract suite that a port names", () => {
    const kit = readFileSync(join(root, "src/testing.ts"), "utf8")
    const named = ports(doors()).flatMap(({ proof }) => /`(\w+Contract)`/.exec(proof)?.[1] ?? [])
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !kit.includes(`export * as ${name} from`))).toEqual([])
  })

  test("takes examples out of comments and pages, with their lines", () => {
    const text =
      "const a = 1\n/**\n * See.\n *\n * @example\n * ```ts\n * const b = a\n *   + 1\n * ```\n */\n"
    expect(examples("a.ts", text)).toEqual([{ file: "a.ts", line: 7, code: "const b = a\n  + 1\n" }])
    expect(padded({ file: "a.ts", line: 3, code: "x" })).toBe("\n\nx")
    expect(examples("a.md", "# A\n\n```ts\nconst c = 1\n```\n")).toEqual([
      { file: "a.md", line: 4, code: "const c = 1\n" }
    ])
  })
})

test("exported paths resolve as Node resolves them", () => {
  const exports = {
    ".": "./src/index.ts",
    "./s/*": "./src/s/*.ts",
    "./s/engine/*": null,
    "./s/Pair": null,
    "./m": "./src/M.ts"
  }
  const sources = [
    "./src/index.ts",
    "./src/M.ts",
    "./src/s/A.ts",
    "./src/s/Pair.ts",
    "./src/s/Pairs.ts",
    "./src/s/back/B.ts",
    "./src/s/engine/C.ts",
    "./src/t/D.ts"
  ]
  expect(open({ name: "p", exports }, sources)).toEqual([
    { name: "p", file: "src/index.ts" },
    { name: "p/m", file: "src/M.ts" },
    { name: "p/s/A", file: "src/s/A.ts" },
    { name: "p/s/Pairs", file: "src/s/Pairs.ts" },
    { name: "p/s/back/B", file: "src/s/back/B.ts" }
  ])
})

test("exports that are passed on from other files are public too", () => {
  const all = [
    { name: "p", file: "src/index.ts" },
    { name: "p/a", file: "src/domain/A.ts" }
  ]
  const text = `export * as A from "./domain/A.ts";\nexport * as Kit from "./kit/Kit.ts";\nexport { b, type C } from "./kit/B.ts";\n`
  const found = handed(all, (file) => (file === "src/index.ts" ? declarations(text) : []))
  expect(found.map(({ as, file }) => [as, file])).toEqual([
    ["Kit", "src/kit/Kit.ts"],
    ["{ b, C }", "src/kit/B.ts"]
  ])
})

test("declarations are shown as functions, or as the members of a service", () => {
  const shown = plain(
    `${EMITTED}export declare const f: <A extends {\n    readonly g: () => void;\n}>(a: A) => (b: A) => boolean;\n`
  )
  expect(shown).toContain(
    "export declare function f<A extends {\n    readonly g: () => void;\n}>(a: A): (b: A) => boolean;"
  )
  expect(shown).toMatch(/export declare class Store \{\s+\/\*\* The caller's own\. \*\/\s+readonly get:/)
})

describe("tags of doc comments", () => {
  const one = (doc: string) => moduleOf(`/** ${doc} */\nexport declare const one: 1;\nexport {};`)
  const found = (doc: string, released?: ReadonlyArray<string>) =>
    mistagged(one(doc), released === undefined ? undefined : new Set(released))

  test("have a version, and a deprecation says what to use", () => {
    for (const doc of ["A.", "A.\n@since 0.2.0", "A.\n@deprecated since 0.2.0: use `two`"])
      expect(found(doc)).toEqual([])
    for (const doc of ["A.\n@since", "A.\n@since soon", "A.\n@deprecated", "A.\n@deprecated since 0.2.0:"])
      expect(found(doc)).toHaveLength(1)
  })

  test("say since when an export is there that the last release had not", () => {
    expect(found("A.", names([one("A.")]))).toEqual([])
    expect(found("A.\n@since 0.2.0", [])).toEqual([])
    expect(found("A.", [])).toEqual([expect.stringContaining("one is new since the last release")])
  })
})
