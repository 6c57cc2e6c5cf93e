// What the library weighs in a browser: bundled by Bun, with all its names kept, as if an app used each of them.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { entries } from "../../../scripts/package/doors.ts"
import type { Line } from "./line.ts"

/** All of domain and trading, a signal's rules included, may weigh so much beyond effect itself, compressed either way. */
const MOST = 130 * 1024
/** A server that mounts the interface downloads so much in one file, effect and @effect/platform included. */
const MOST_OF_HTTP = 890 * 1024

export const sizes = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const doors = entries("dist/package").map(([door]) => door)
  const core = doors.filter((door) => /^\.\/(?:domain|trading)\//.test(door))
  const portable = doors.filter((door) => !/^\.\/(?:postgres|server|sqlite)$/.test(door))
  const bare = await weigh(folder, core, ["effect", "effect/*"])
  const whole = await weigh(folder, portable, [])
  const each = await Promise.all(
    SINGLE.map(async (door) => {
      const [alone, all] = [await bundle(folder, [door], PEERS), await bundle(folder, [door], [])]
      const most = door === "./http" ? MOST_OF_HTTP : Number.POSITIVE_INFINITY
      const bound = Number.isFinite(most) ? `, at most ${most / 1024} KB` : ""
      const text = `${sizeOf(alone)}, with its peers ${sizeOf(all)}${bound}`
      return line(door.replace(/^\./, "signalbox"), text, alone !== "" && all.length <= most)
    })
  )
  return [
    line("domain + trading", `${kilobytes(bare)} beyond effect, at most ${MOST / 1024} KB`, fits(bare)),
    ...each,
    line("all of it", `${kilobytes(whole)} with effect and @effect/platform`, true)
  ]
}

/** The doors that are weighed by themselves. */
const SINGLE = [".", "./memory", "./api", "./http", "./testing"]
const PEERS = ["effect", "effect/*", "@effect/platform", "@effect/platform/*"]

interface Weight {
  readonly raw: number
  readonly gzip: number
  readonly br: number
}

/** What the doors come to in an app, minified. */
const bundle = async (
  folder: string,
  doors: ReadonlyArray<string>,
  external: Array<string>
): Promise<string> => {
  const entry = join(folder, `bundle-${weighed++}.js`)
  const from = (door: string) => JSON.stringify(door.replace(/^\./, "signalbox"))
  writeFileSync(entry, doors.map((door, index) => `export * as door${index} from ${from(door)}`).join("\n"))
  const built = await Bun.build({ entrypoints: [entry], target: "browser", minify: true, external })
  return (await built.outputs[0]?.text()) ?? ""
}

const weigh = async (
  folder: string,
  doors: ReadonlyArray<string>,
  external: Array<string>
): Promise<Weight> => {
  const text = await bundle(folder, doors, external)
  return { raw: text.length, gzip: gzipSync(text, { level: 9 }).length, br: brotliCompressSync(text).length }
}

const sizeOf = (text: string): string => {
  const [bare, zipped] = [text.length, gzipSync(text).length].map((bytes) => (bytes / 1024).toFixed(1))
  return `${bare} KB, gzip ${zipped}`
}

let weighed = 0

const fits = ({ br, gzip, raw }: Weight): boolean => raw > 0 && Math.max(gzip, br) <= MOST

const kilobytes = ({ br, gzip, raw }: Weight): string => {
  const [bare, zipped, smaller] = [raw, gzip, br].map((bytes) => (bytes / 1024).toFixed(1))
  return `${bare} KB, gzip ${zipped}, br ${smaller}`
}

const line = (name: string, text: string, isGood: boolean): Line => ({
  ...{ name, runtime: "bundle", milliseconds: undefined, text, outcome: isGood ? "passed" : "failed" }
})
