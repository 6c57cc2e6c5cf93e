// Somebody's new app: `npm init`, the tarball and its peers, and the examples as its sources.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bun, path } from "../../../scripts/command.ts"
import { entries } from "../../../scripts/package/doors.ts"
import { blocks } from "../../lib/pages.ts"

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs in the folder, for a minute at most. */
export const runIn = async (folder: string, command: ReadonlyArray<string>): Promise<Ran> => {
  const child = Bun.spawn([...command], {
    ...{ cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe", timeout: 60_000 },
    env: { ...process.env, npm_config_update_notifier: "false", NODE_NO_WARNINGS: "1" }
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out: out.trim(), err: err.trim() }
}

/** Our own versions of the peers, so that a release of theirs breaks no run of ours; a lock would pin theirs too. */
const PEERS = ["effect", "@effect/platform", "@effect/sql", "@effect/sql-sqlite-bun", "@effect/experimental"]
const TYPES = ["bun-types", "@types/node@20.19.43"]

export const install = async (folder: string, tarball: string): Promise<string | undefined> => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path("package.json"), "utf8"))
  const pinned = { ...devDependencies, ...dependencies }
  const wanted = [...PEERS, ...TYPES].map((name) =>
    pinned[name] === undefined ? name : `${name}@${pinned[name]}`
  )
  for (const command of [
    ["npm", "init", "-y"],
    ["npm", "pkg", "set", "type=module"],
    // The peers that `@effect/sql-sqlite-bun` names are older than those that it works with: the README says so too.
    [
      "npm",
      "install",
      "--legacy-peer-deps",
      "--ignore-scripts",
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      tarball,
      ...wanted
    ]
  ]) {
    const { code, err } = await runIn(folder, command)
    if (code !== 0) return `${command.slice(0, 2).join(" ")} failed: ${err}`
  }
  return undefined
}

/** The examples, those of the guide, and one that goes through every door. */
export const lay = async (folder: string): Promise<void> => {
  const from = path("test/examples")
  mkdirSync(join(folder, "lib"))
  for (const file of readdirSync(from)) {
    if (file.endsWith(".ts") && file !== "index.ts") cpSync(join(from, file), join(folder, file))
  }
  for (const file of ["trader.ts", "nodeServer.ts", "venue.ts"])
    cpSync(join(from, "lib", file), join(folder, "lib", file))
  const programs = blocks(readFileSync(path("src/guide/embedding.md"), "utf8"), "ts")
  for (const [index, program] of programs.entries())
    writeFileSync(join(folder, `guide-${index + 1}.ts`), program)
  const doors = entries("dist/package").map(([door]) => door.replace(/^\./, "signalbox"))
  const portable = doors.filter((door) => !/\/(?:server|sqlite)$/.test(door))
  writeFileSync(join(folder, "every-door.ts"), throughAll(portable))
  writeFileSync(join(folder, "every-door-bun.ts"), throughAll(doors))
}

const throughAll = (doors: ReadonlyArray<string>): string =>
  [
    ...doors.map((door, index) => `import * as door${index} from ${JSON.stringify(door)}`),
    `const doors: ReadonlyArray<object> = [${doors.map((_, index) => `door${index}`).join(", ")}]`,
    `const names = doors.reduce((sum: number, door) => sum + Object.keys(door).length, 0)`,
    'console.log(doors.length + " doors open, " + names + " names behind them")'
  ].join("\n")

/** As strictly as Node resolves, with the declarations of the library checked too. */
const OPTIONS = {
  ...{ module: "NodeNext", target: "ES2022", lib: ["ES2023"], types: ["node", "bun-types"] },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ skipLibCheck: true, rewriteRelativeImportExtensions: true, outDir: "out", rootDir: "." }
}

export const compile = async (folder: string): Promise<string | undefined> => {
  const config = { compilerOptions: OPTIONS, include: ["*.ts", "lib/*.ts"] }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
  const { code, out } = await runIn(folder, [bun(), path("node_modules/.bin/tsc"), "-p", "."])
  return code === 0 ? undefined : out
}
