// The rules of the house: imports, sizes, cycles and banned calls.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as ArchitecturePage from "./lib/architecture.ts"
import * as House from "./lib/house.ts"
import { table } from "./lib/imports.ts"
import { LISTS, LONGER } from "./lib/longer.ts"
import * as Pages from "./lib/pages.ts"
import { type File, source } from "./lib/source.ts"
import * as Words from "./lib/words.ts"

/** Modules of `effect` that run things, keep state or read the world: not for domain and trading. */
const RUNTIME = new RegExp(
  "^(\\*|Effect|Effectable|Layer\\w*|Context|\\w*Runtime\\w*|DefaultServices|Fiber\\w*|Stream\\w*|Sink|Channel|Take" +
    "|Clock|Console|Random|Scope|Schedule\\w*|\\w*Ref|\\w*Cache|\\w*Pool|Queue|PubSub|Mailbox|Deferred|Reloadable" +
    "|Resource|Request\\w*|Config\\w*|Logger|Log\\w*|Metric\\w*|Tracer|Supervisor|RateLimiter|RcMap|\\w*Semaphore" +
    "|STM|T[A-Z]\\w*|Test\\w*|Micro|Subscribable|ExecutionPlan|Live\\w*)$"
)

const MAX_FILE_LINES = 300
const MAX_FUNCTION_LINES = 60
const MAX_FOLDER_FILES = 25
const MIN_TITLE_WORDS = 3
const MAX_PARAMETERS = 4
const TOP_LEVEL = /^(package\.json|tsconfig\.json|bunfig\.toml|README\.md|bun\.lock|src|test|scripts|\..+)$/
/** In bytes: what a newcomer reads to its end, and what the program carries along. */
const MAX_README = 12 * 2 ** 10
const MAX_PICTURE = 150 * 2 ** 10
const MAP = ".github/ARCHITECTURE.md"
const FRONT_DOORS = /^src\/(index|Memory|Server|testing)\.ts$/

/** Calls that are allowed somewhere all the same, each with its reason. */
const exceptions: ReadonlyArray<House.Exception> = [
  {
    under: "src/sqlite/",
    call: "setImmediate",
    why: "one commit for all that arrives in a turn of the event loop"
  },
  { under: "src/postgres/Journal.ts", call: "setImmediate", why: "as above" },
  {
    under: "src/postgres/Leases.ts",
    call: "Date.now",
    why: "a lease ends by the clocks of the machine, also in a replay, and is looked at without waiting"
  },
  { under: "src/postgres/Leases.ts", call: "performance.now", why: "as above" },
  {
    under: "src/prices/streaming/worker.ts",
    call: "Date.now",
    why: "a thread of its own, without Effect: a foreign library runs there on the machine's clock"
  },
  {
    under: "src/prices/streaming/worker.ts",
    call: "setTimeout",
    why: "as above"
  },
  {
    under: "src/prices/streaming/worker.ts",
    call: "setInterval",
    why: "as above"
  },
  {
    under: "src/web/page/clock.ts",
    call: "Date.now",
    why: "the one clock of the page, which runs in a browser without Effect"
  },
  { under: "src/web/page/clock.ts", call: "setTimeout", why: "as above" },
  { under: "src/web/page/clock.ts", call: "setInterval", why: "as above" },
  { under: "src/http/edge/Listener.ts", call: "Bun.", why: "the one place that opens a socket" },
  {
    under: "src/http/serve.ts",
    call: "Bun.",
    why: "the runtime's own hash, without leaving the thread; and its version"
  },
  {
    under: "src/services/health/Meters.ts",
    call: "performance.now",
    why: "how long things really take, also in a replay whose clock runs faster; nothing is decided by it"
  }
]

const impure = /^src\/(Config\.ts|main\.ts|cli\/)/
const bans: ReadonlyArray<House.Ban> = [
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bunsafeNow\b/g,
    except: impure,
    say: "time comes from Clock"
  },
  { pattern: /\bMath\.random\b/g, except: impure, say: "randomness comes from Random" },
  {
    pattern: /\bset(Timeout|Interval|Immediate)\b/g,
    except: impure,
    say: "wait with Effect.sleep or Schedule"
  },
  { pattern: /\b(process|Bun)\.env\b/g, except: impure, say: "settings come from Config.ts" },
  { pattern: /\bconsole\./g, except: /^src\/cli\//, say: "only cli/ prints; elsewhere Effect.log" },
  {
    pattern: /\bBun\./g,
    except:
      /^src\/(sql|sqlite|exchange|prices|backtests|cli|web)\/|^src\/(Server|Config|WorkerAddress|main)\.ts$/,
    say: "must run on Node and in a browser too"
  },
  {
    pattern: /\bDate\b|\bPromise\b|\basync\b|\bawait\b/g,
    except: /^(?!src\/trading\/)/,
    say: "trading is synchronous and knows no Date"
  },
  {
    pattern: /:\s*any\b|<any\b|\bas (any|never)\b|\bas unknown as\b/g,
    except: /^$/,
    say: "types are not talked out of it"
  }
]

const root = resolve(import.meta.dir, "..")
const read = (path: string): File => ({ path, text: readFileSync(join(root, path), "utf8") })

const git = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: root })
const tracked = git.success
  ? git.stdout
      .toString()
      .split("\0")
      .filter((path) => path !== "" && Bun.file(join(root, path)).size > 0)
  : [...new Bun.Glob("{src,test,scripts}/**/*").scanSync(root)]
const paths = new Set(tracked)

/** The words that names of the code go without, and what they say in their place. */
const names: ReadonlyArray<Words.Word> = [
  { pattern: /\b\w*[Ff]law\w*/g, say: "error, violation (of a request) or fault (ours)" },
  { pattern: /\b\w*[Tt]rouble\w*/g, say: "error, violation (of a request) or fault (ours)" },
  { pattern: /\bAsked\b/g, say: "Query or Request" },
  { pattern: /\bTold\b/g, say: "Response, Report or Message" },
  { pattern: /\bWish\b|\bMandate\w*/g, say: "Command, or OrderRequest" },
  {
    pattern: /\b(?:told|asked|said|begun)\b/g,
    say: "what it is: request, query, response, report or message"
  },
  { pattern: /\b(?:Pile|Sought|heed|bringUp|ailing|haltTold)\b/g, say: "the field's word" },
  { pattern: /\b(?:Terrain|Crowd|Heeding|Recall|Sieve|Ground|Look)\b/g, say: "the field's word" }
]

/** The same for comments. */
const phrases: ReadonlyArray<Words.Word> = [
  { pattern: /\bleft alone\b/g, say: "ignored" },
  { pattern: /\b[Ff]laws?\b/g, say: "error, violation (of a request) or fault (ours)" },
  { pattern: /\bin order of\b|\border in which\b|\bthe order of\b/g, say: "sequence, or sorted by" }
]

/** Titles of tests that have to be solved, or that only go on from another one. */
const riddles: ReadonlyArray<Words.Word> = [
  { pattern: /^(?:and|but|nor|or)\b.*/g, say: "a whole sentence" },
  {
    pattern: /^(?:what|who|whoever|it|they|those|one (?:of|that|who))\b|\bthat (?:is|are) none\b/g,
    say: "the noun"
  },
  { pattern: /\bsaid$|\btold of\b/g, say: "reported, listed or refused" }
]

/** Methods of ccxt, whose parameters are not ours. */
const foreign = ["src/ccxt/Ccxt.ts", "src/ccxt/sound.ts", "src/ccxt/TradingClient.ts"]

const rules: Record<string, House.Rule> = {
  "imports follow the table": House.importsFollow(table, RUNTIME),
  "no import cycles": House.noCycles,
  "imports name the file, with .ts": House.importsNameTheFile,
  "no file is too long": House.noLongerThan(MAX_FILE_LINES),
  "no function is too long": House.noFunctionOver(MAX_FUNCTION_LINES, [...LISTS, ...LONGER]),
  "no folder holds too many files": House.noFolderOver(MAX_FOLDER_FILES),
  "no function takes too many parameters": House.noMoreParametersThan(MAX_PARAMETERS, foreign),
  "each file begins with a header": Words.beginsWithHeader,
  "names are the field's": Words.namesAvoid(names),
  "comments give each word one meaning": Words.commentsAvoid(phrases),
  "comments name paths that are there": Words.commentsNamePaths(paths),
  "nothing calls what is banned": House.nothingBanned(bans, exceptions),
  "nothing silences the compiler": House.nothingSilenced,
  "no barrels but the front doors": House.noBarrelsBut(FRONT_DOORS)
}

const sources = tracked.filter((path) => /^src\/.*\.tsx?$/.test(path)).map((path) => source(read(path)))
const tests = tracked
  .filter((path) => /^test\/.*\.test\.ts$|^src\/testing\/contracts\//.test(path))
  .map((path) => source(read(path)))

describe("the house", () => {
  for (const [name, rule] of Object.entries(rules)) {
    test(name, () => expect(rule(sources)).toEqual([]))
  }
  test("a file with a longer function is listed only while it has one", () => {
    const rule = House.noFunctionOver(MAX_FUNCTION_LINES, LISTS)
    const files = rule(sources).map((message) => message.slice(0, message.indexOf(":")))
    expect([...new Set(files)].sort()).toEqual(LONGER)
  })
  test("titles of tests say what holds", () =>
    expect(Words.titlesSay(riddles, MIN_TITLE_WORDS)(tests)).toEqual([]))
  test("the top level holds what the floor plan lists", () =>
    expect(House.topLevelHolds(TOP_LEVEL, tracked)).toEqual([]))
  test("no file names a path of somebody's machine", () =>
    expect(
      tracked
        .filter((path) => path !== "bun.lock" && Bun.file(join(root, path)).size < 2 ** 20)
        .map(read)
        .filter(({ text }) => !text.includes("\0"))
        .flatMap(House.machinePaths)
    ).toEqual([]))
})

const pages = tracked.filter((path) => /^(README|src\/guide\/.*|\.github\/.*)\.md$/.test(path)).map(read)

const pageRules: Record<string, (pages: ReadonlyArray<File>) => ReadonlyArray<string>> = {
  "links lead somewhere": Pages.linksLead(paths),
  "the guide links within itself": Pages.staysWithin("src/guide/"),
  "no page holds HTML": Pages.noHtml,
  "the contents list every page": Pages.contentsList("src/guide/index.md"),
  "paths are there": ArchitecturePage.pathsExist(paths),
  "the map lists every folder": ArchitecturePage.listsFolders(MAP, paths),
  "the map shows who may import whom": ArchitecturePage.showsImports(MAP, table)
}

describe("the pages", () => {
  for (const [name, rule] of Object.entries(pageRules)) {
    test(name, () => expect(rule(pages)).toEqual([]))
  }
  test("the README is read to its end, and pictures load at once", () => {
    expect(Bun.file(join(root, "README.md")).size).toBeLessThanOrEqual(MAX_README)
    const pictures = tracked.filter((path) => /^src\/guide\/.*\.png$/.test(path))
    for (const path of pictures) expect(Bun.file(join(root, path)).size).toBeLessThanOrEqual(MAX_PICTURE)
  })

  const planted: ReadonlyArray<readonly [rule: string, text: string, line: number]> = [
    ["links lead somewhere", "# A\n[b](nowhere.md)", 2],
    ["links lead somewhere", "# A\n\n[b](#c)", 3],
    ["links lead somewhere", "[b](index.md#c)", 1],
    ["the guide links within itself", "# A\n[b](../../README.md)", 2],
    ["no page holds HTML", "a\nb <br>", 2],
    ["the contents list every page", "# A", 1]
  ]
  test.each(planted)("%s: %j", (rule, text, line) => {
    const index = { path: "src/guide/index.md", text: "# Contents" }
    const found = pageRules[rule]?.([index, { path: "src/guide/a.md", text }])
    const where = rule === "the contents list every page" ? index.path : "src/guide/a.md"
    expect(found?.map((message) => message.slice(0, message.indexOf(" ")))).toEqual([`${where}:${line}`])
  })

  test("a map that lacks a folder or shows another import table is found", () => {
    const files = new Set(["src/a/A.ts", "src/a/b/B.ts", "test/A.test.ts"])
    const few = { a: { ours: "a B.ts", packages: "" }, "B.ts": { ours: "", packages: "" } }
    const rows = "| `a` | `B.ts` |\n| `B.ts` | nothing |"
    const page = (text: string) => [{ path: MAP, text }]
    const heading = "## Who may import whom"
    const whole = `# Map\n\`src/a\` \`src/a/b\`\n${heading}\n\n| who | may import |\n|---|---|\n${rows}\n\n## Next`
    const all = (text: string) => [
      ...ArchitecturePage.pathsExist(files)(page(text)),
      ...ArchitecturePage.listsFolders(MAP, files)(page(text)),
      ...ArchitecturePage.showsImports(MAP, few)(page(text))
    ]
    expect(all(whole)).toEqual([])
    expect(all(whole.replace("`src/a/b`", ""))).toEqual([`${MAP}:1 does not list src/a/b`])
    expect(all(whole.replace("`src/a/b`", "`src/a/b` `src/c`"))).toEqual([
      `${MAP}:2 names src/c: there is no such path`
    ])
    expect(all(whole.replace("# Map", "# Map `a/C.ts` `a/A.ts` `other/x` `test/`"))).toEqual([
      `${MAP}:1 names a/C.ts: there is no such path`
    ])
    for (const text of [whole.replace("nothing", "`a`"), whole.replace(heading, "## Imports")])
      expect(all(text)).toEqual([`${MAP}:${text.includes(heading) ? 3 : 1} should hold these rows:\n${rows}`])
  })

  test("links in code and to other hosts, and anchors of headings in code style, are fine", () => {
    const text =
      "# A\n## `stop_loss`\n## What, then?\n[a](#stop_loss) [b](#what-then) [c](https://x.example/y)\n`[d](e)`\n```md\n[f](g) <b>\n```"
    const page = { path: "src/guide/a.md", text }
    expect(Pages.linksLead(paths)([page])).toEqual([])
    expect(Pages.noHtml([page])).toEqual([])
  })
})

describe("each rule catches a planted violation", () => {
  const many = "const a = 1\n".repeat(MAX_FILE_LINES + 1)
  const body = `{\n${"  a()\n".repeat(MAX_FUNCTION_LINES - 1)}}`
  const planted: ReadonlyArray<readonly [rule: string, path: string, text: string, line: number]> = [
    ["imports follow the table", "src/domain/A.ts", `import { Effect, Option } from "effect"`, 1],
    ["imports follow the table", "src/domain/A.ts", `import * as effect from "effect"`, 1],
    ["imports follow the table", "src/domain/A.ts", `\nimport type * as Ref from "effect/Ref"`, 2],
    ["imports follow the table", "src/domain/A.ts", `import { Sql } from "@effect/sql"`, 1],
    ["imports follow the table", "src/domain/A.ts", `import { x } from "../trading/X.ts"`, 1],
    ["imports follow the table", "src/trading/A.ts", `import {\n  type Clock\n} from "effect"`, 1],
    ["imports follow the table", "src/services/A.ts", `import type { B } from "../sqlite/B.ts"`, 1],
    ["imports follow the table", "src/sqlite/A.ts", `import "../exchange/Paper.ts"`, 1],
    ["imports follow the table", "src/api/A.ts", `export { B } from "../services/B.ts"`, 1],
    ["imports follow the table", "src/http/A.ts", `const b = () => import("../prices/B.ts")`, 1],
    ["imports follow the table", "src/web/A.ts", `import { B } from "../services/B.ts"`, 1],
    ["imports follow the table", "src/web/page/A.tsx", `import { useState } from "react"`, 1],
    ["imports follow the table", "src/web/page/A.tsx", `import type { Db } from "../../sqlite/Db.ts"`, 1],
    ["imports follow the table", "src/Memory.ts", `import { Database } from "bun:sqlite"`, 1],
    ["imports follow the table", "src/http/A.ts", `import { layer } from "../Server.ts"`, 1],
    ["imports follow the table", "src/api/A.ts", `import p from "../../package.json"`, 1],
    ["imports follow the table", "src/utils/A.ts", "export const a = 1", 1],
    ["no import cycles", "src/domain/A.ts", `import type { B } from "./A.ts"`, 1],
    ["nothing calls what is banned", "src/web/page/A.tsx", "const A = () => <p>{Date.now()}</p>", 1],
    ["imports name the file, with .ts", "src/domain/A.ts", `import { B } from "./B"`, 1],
    ["no file is too long", "src/domain/A.ts", many, MAX_FILE_LINES + 1],
    ["no function is too long", "src/domain/A.ts", `\nconst f = (a: B<C>) => ${body}`, 2],
    ["no function is too long", "src/domain/A.ts", `\nfunction f(a: (b: B) => C): Map<D, E> ${body}`, 2],
    ["no function is too long", "src/domain/A.ts", `const f = g(function* ({ a }: A, b: B) ${body})`, 1],
    ["no function is too long", "src/domain/A.ts", `class A {\n  f(): void ${body}\n}`, 2],
    ["no function takes too many parameters", "src/domain/A.ts", "\nconst f = (a, b, c, d, e) => a", 2],
    [
      "no function takes too many parameters",
      "src/domain/A.ts",
      "class A {\n  f(a: B<C, D>, b, c, d, e = 1) {}\n}",
      2
    ],
    [
      "no function takes too many parameters",
      "src/domain/A.ts",
      "interface A {\n  f: (a: 1, b: 2, c: 3, d: 4, e: 5) => 6\n}",
      2
    ],
    [
      "no function takes too many parameters",
      "src/domain/A.ts",
      "const f = function* ({ a }: A, b: B, c: C, d: D, e?: E) {}",
      1
    ],
    ["nothing calls what is banned", "src/services/A.ts", "\n\nconst a = Date.now()", 3],
    ["nothing calls what is banned", "src/services/A.ts", "const a = `at $" + "{new Date()}`", 1],
    ["nothing calls what is banned", "src/services/A.ts", `const url = "http://x"; Math.random()`, 1],
    ["nothing calls what is banned", "src/http/A.ts", "setTimeout(f, 1)", 1],
    ["nothing calls what is banned", "src/sqlite/A.ts", "setInterval(f, 1)", 1],
    ["nothing calls what is banned", "src/http/A.ts", "process.env.PORT", 1],
    ["nothing calls what is banned", "src/main.ts", "console.log(1)", 1],
    ["nothing calls what is banned", "src/http/A.ts", "Bun.hash(1)", 1],
    ["nothing calls what is banned", "src/trading/A.ts", "new Date(at)", 1],
    ["nothing calls what is banned", "src/cli/A.ts", "const a = b as unknown as C", 1],
    ["nothing calls what is banned", "src/cli/A.ts", "const f = (a: any) => a", 1],
    ["each file begins with a header", "src/domain/A.ts", "export const a = 1", 1],
    ["names are the field's", "src/domain/A.ts", "// a\nconst flaws = []", 2],
    ["comments give each word one meaning", "src/domain/A.ts", "// a\n// It is left alone.", 2],
    ["comments name paths that are there", "src/domain/A.ts", "// See domain/Nowhere.ts.", 1],
    ["nothing silences the compiler", "src/cli/A.ts", "\n// @ts-ignore", 2],
    [
      "no barrels but the front doors",
      "src/domain/index.ts",
      `// all\nexport * from "./A.ts"\nexport { B } from "./B.ts"`,
      1
    ]
  ]
  test.each(planted)("%s: %s %j", (rule, path, text, line) => {
    const found = Object.entries(rules).flatMap(([name, check]) =>
      check([source({ path, text })]).map((message) => [name, message.slice(0, message.indexOf(" "))])
    )
    expect(found).toContainEqual([rule, `${path}:${line}`])
  })

  test("a cycle over two files is found", () => {
    const files = [
      { path: "src/domain/A.ts", text: `import { B } from "./B.ts"` },
      { path: "src/domain/B.ts", text: `\nimport { A } from "./A.ts"` }
    ]
    expect(rules["no import cycles"]?.(files.map(source))).toEqual([
      "src/domain/B.ts:2 closes the cycle src/domain/A.ts > src/domain/B.ts > src/domain/A.ts"
    ])
  })

  test("a title that is too short or has to be solved is found", () => {
    const text = ["all goes on", "and twice", "pages", "what is none answers 404"]
      .map((title) => `test(${JSON.stringify(title)}, () => {})`)
      .concat(`test.each(rows)("%s", (row) => {})`)
      .join("\n")
    const found = Words.titlesSay(riddles, MIN_TITLE_WORDS)([source({ path: "test/A.test.ts", text })])
    expect(found.map((message) => message.slice(0, message.indexOf(" ")))).toEqual(
      [2, 2, 3, 4].map((line) => `test/A.test.ts:${line}`)
    )
  })

  test("a folder with too many files is found", () => {
    const files = Array.from({ length: MAX_FOLDER_FILES + 1 }, (_, index) => ({
      path: `src/domain/A${index}.ts`,
      text: "export const a = 1"
    }))
    const rule = rules["no folder holds too many files"]
    expect(rule?.(files.slice(1).map(source))).toEqual([])
    expect(rule?.(files.map(source))).toHaveLength(1)
  })

  test("strangers at the top level and paths of a machine are found", () => {
    expect(House.topLevelHolds(TOP_LEVEL, ["src/A.ts", ".ci/run", "docs/a.md"])).toEqual([
      "docs:1 has no place at the top of the repo"
    ])
    const text = `\ncd ${["", "home", "me", "x"].join("/")}`
    expect(House.machinePaths({ path: "README.md", text })).toEqual([
      "README.md:2 names a path of somebody's machine"
    ])
  })
})

test("allowed code, and words in comments and strings, violate no rule", () => {
  const clean: ReadonlyArray<File> = [
    {
      path: "src/domain/A.ts",
      text: `import { DateTime, type Either, Schema as S } from "effect"\nexport const a = S.String`
    },
    {
      path: "src/domain/B.ts",
      text: `import * as Option from "effect/Option"\nimport type { A } from "./A.ts"`
    },
    {
      path: "src/trading/C.ts",
      text: `import { A } from "../domain/A.ts"\n// no Promise, new Date()\nconst a = "Date.now()"`
    },
    {
      path: "src/services/D.ts",
      text: "/* Math.random() */\nconst q = /[\"'`]/\nconst u = `Date.now $" + "{q} it's`\nconst w = 'as any'"
    },
    { path: "src/sqlite/E.ts", text: `import { Database } from "bun:sqlite"\nsetImmediate(flush)` },
    {
      path: "src/cli/F.ts",
      text: `import { layer } from "../Server.ts"\nconsole.log(process.env["HOME"], new Date())`
    },
    {
      path: "src/domain/G.ts",
      text: "const f = (a: Map<B, C>, { d, e, g }: D, h = [1, 2]) => f(a, d, e, g, h, (i) => i < 1, 3 > 2)"
    },
    {
      path: "src/domain/H.ts",
      text: `const f = () => {\n${"  a()\n".repeat(MAX_FUNCTION_LINES - 2)}}\nif (a(b)) {\n${"  a()\n".repeat(MAX_FUNCTION_LINES)}}`
    },
    { path: "src/index.ts", text: `export * as Order from "./domain/Order.ts"` }
  ]
  const headed = clean.map(({ path, text }) => source({ path, text: `// What it is.\n${text}` }))
  for (const rule of Object.values(rules)) expect(rule(headed)).toEqual([])
})
