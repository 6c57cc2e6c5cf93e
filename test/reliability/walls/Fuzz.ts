// Random changes to valid requests, which stay similar enough to get past the first checks.

import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import type { Ask } from "../Wire.ts"
import { type Operation, richStrategy } from "./Routes.ts"
import { KEYS, LITERALS, NUMBERS, QUERIES, TYPES, WORDS } from "./Words.ts"

type Json = unknown

/** Makes malformed requests for an operation. `ids` are existing records. */
export class Fuzz {
  private readonly random: SeededRandom
  private readonly strings: ReadonlyArray<string>

  constructor(random: SeededRandom, strings: ReadonlyArray<string>) {
    this.random = random
    this.strings = [...WORDS, ...strings]
  }

  next({ method, path, recipe }: Operation, ids: ReadonlyArray<number>): Ask {
    const { random } = this
    const id = random.chance(0.9) && ids.length > 0 ? random.pick(ids) : this.anyId()
    const query = recipe.keyed === true || random.chance(0.2) ? [random.pick(QUERIES)] : []
    const target = `${path.replace("{id}", `${id}`)}${random.chance(0.5) && query.length > 0 ? `?${query}` : ""}`
    const good = recipe.body?.(recipe.names === undefined ? 0 : id)
    if (good === undefined && random.chance(0.9)) return { method, target }
    const rich = path.startsWith("/v1/strategies") && random.chance(0.7) ? { ...richStrategy, ...good } : good
    return { method, target, ...this.encoded(this.bent(rich ?? {})) }
  }

  private anyId(): string {
    const { random } = this
    const text = random.chance(0.5) ? random.pick(this.strings) : `${random.pick(NUMBERS)}`
    return encodeURIComponent(text.toWellFormed()).slice(0, 2000)
  }

  private bent(body: Json): Json {
    let all = body
    for (let times = this.random.below(4); times > 0; times--) all = this.mutated(all, 0)
    return all
  }

  /** Changes a value at one random place. */
  private mutated(value: Json, depth: number): Json {
    const { random } = this
    if (Array.isArray(value) && value.length > 0 && random.chance(0.8)) {
      const at = random.below(value.length)
      if (random.chance(0.15)) return [...value, ...value]
      if (random.chance(0.15)) return Array.from({ length: random.pick([201, 1000]) }, () => value[at])
      return value.map((item, index) => (index === at ? this.mutated(item, depth + 1) : item))
    }
    if (typeof value !== "object" || value === null || random.chance(depth === 0 ? 0.02 : 0.2))
      return this.anything(depth)
    const entries = Object.entries(value)
    if (entries.length === 0 || random.chance(0.15))
      return Object.fromEntries([...entries, [random.pick(KEYS), this.anything(depth)]])
    const at = random.below(entries.length)
    if (random.chance(0.15)) return Object.fromEntries(entries.filter((_, index) => index !== at))
    return Object.fromEntries(
      entries.map(([key, inner], index) => [key, index === at ? this.mutated(inner, depth + 1) : inner])
    )
  }

  private anything(depth: number): Json {
    const { random } = this
    switch (random.below(9)) {
      case 0:
        return null
      case 1:
        return random.chance(0.5)
      case 2:
      case 3:
        return random.pick(NUMBERS) * (random.chance(0.2) ? -1 : 1)
      case 4:
        return `${random.pick(NUMBERS)}`
      case 5:
        return depth > 4 ? [] : [this.anything(depth + 1)]
      case 6:
        return depth > 4 ? {} : { [random.pick(KEYS)]: this.anything(depth + 1) }
      default:
        return random.pick(this.strings)
    }
  }

  /** The body as text, often of another kind than its content type. */
  private encoded(body: Json): Pick<Ask, "body" | "headers"> {
    const { random } = this
    const usual = random.chance(0.75)
    const style = random.below(10)
    const type = usual
      ? style < 8
        ? "application/json"
        : "application/x-www-form-urlencoded"
      : random.pick(TYPES)
    const text = style < 8 ? this.roughened(JSON.stringify(body)) : form(body)
    const headers: Record<string, string> = { "content-type": type }
    if (random.chance(0.05))
      headers["idempotency-key"] = random.pick(["same", "é", " ", "x".repeat(300), `${random.next()}`])
    const bytes = Buffer.from(text, "utf8")
    switch (random.below(60)) {
      case 0:
        return { body: Bun.gzipSync(bytes), headers: { ...headers, "content-encoding": "gzip" } }
      case 1:
        return { body: Buffer.from(text, "utf16le"), headers }
      case 2:
        return { body: Buffer.from(text, "latin1"), headers }
      case 3:
        return { body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]), headers }
      case 4:
        return { body: Buffer.concat([Buffer.from([0xff, 0xfe]), bytes]), headers }
      case 5:
        return { body: this.flipped(bytes), headers }
      case 6:
        return { body: bytes.subarray(0, random.below(bytes.length + 1)), headers }
      case 7:
        return {
          body: parts(body),
          headers: { ...headers, "content-type": "multipart/form-data; boundary=x" }
        }
      case 8:
        return { body: nested(random.pick([10, 1000, 30_000]), random.chance(0.5)), headers }
      case 9:
        return {
          body: Buffer.from([...bytes, ...Buffer.alloc(random.pick([1, 60_000, 65_537]), 32)]),
          headers
        }
      default:
        return { body: bytes, headers }
    }
  }

  /** JSON text with an error or an oddity that no serialized object has. */
  private roughened(text: string): string {
    const { random } = this
    switch (random.below(40)) {
      case 0:
        return text.replace(/:(-?[\d.e+]+)/, `:${random.pick(LITERALS)}`)
      case 1:
        return text.replace(/\{("[^"]*":)/, `{$1${JSON.stringify(this.anything(2))},$1`)
      case 2:
        return text.replace(/}$/, ",}")
      case 3:
        return text.replace(/"/, "'")
      case 4:
        return `${text}${random.pick([text, "\0", "//", "\ufeff", "}", " \u00a0"])}`
      case 5:
        return `${random.pick(["\ufeff", "\0", ")]}',\n", "/* */", "\u00a0", "[", '"'])}${text}`
      case 6:
        return text.replace(/"([^"]*)":/, '"\\u0000$1":')
      case 7:
        return text.replace(/:"/, ':"\\ud800')
      case 8:
        return text.replace(/:"[^"]*"/, `:"\\u${random.pick(["d83d\\ude00", "D800", "dead", "00", "zzzz"])}"`)
      case 9:
        return text.replace(/:"/, ':"\u0001\t')
      default:
        return text
    }
  }

  private flipped(bytes: Buffer): Buffer {
    const all = Buffer.from(bytes)
    for (let times = 1 + this.random.below(5); times > 0; times--) {
      all[this.random.below(all.length)] = this.random.below(256)
    }
    return all
  }
}

const entriesOf = (body: Json): ReadonlyArray<readonly [string, string]> =>
  typeof body === "object" && body !== null
    ? Object.entries(body).map(([key, value]) => [
        key,
        typeof value === "string"
          ? value
          : value === true
            ? "1"
            : value === false
              ? "0"
              : JSON.stringify(value)
      ])
    : []

const form = (body: Json): string =>
  entriesOf(body)
    .map(
      ([key, value]) =>
        `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`
    )
    .join("&")

const parts = (body: Json): Buffer =>
  Buffer.from(
    `${entriesOf(body)
      .map(([key, value]) => `--x\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`)
      .join("")}--x--\r\n`
  )

const nested = (depth: number, isList: boolean): string =>
  isList
    ? `${"[".repeat(depth)}${"]".repeat(depth)}`.slice(0, 65_000)
    : `{"name":${'{"a":'.repeat(Math.min(depth, 10_000))}1${"}".repeat(Math.min(depth, 10_000))}}`
