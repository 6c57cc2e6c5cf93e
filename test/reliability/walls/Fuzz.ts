// Requests that begin good and are then bent: the shape of the interface is kept just long enough to get far in.
import type { Ask } from "../Wire.ts"
import { type Operation, richStrategy } from "./Routes.ts"
import type { Seeded } from "./Seeded.ts"

type Json = unknown

const NUMBERS: ReadonlyArray<number> = [
  ...[0, -0, 1, -1, 0.1, -0.1, 1e-9, 1e-300, 5e-324, 100, 100.000_000_1, 99.999_999_999_999_99, 101],
  ...[200, 201, 255, 256, 65_535, 65_536, 525_600, 525_601, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1],
  ...[2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64, 1e21, 1e22, 1e100, 1e308, 1.797_693_134_862_315_7e308]
]
/** Numbers that JSON.stringify would not write. */
const LITERALS = [
  "1e999",
  "-1e999",
  "1e-999",
  "NaN",
  "Infinity",
  "00",
  "01",
  "+1",
  ".5",
  "5.",
  "0x10",
  "1_000",
  "1e",
  "-"
]
const WORDS: ReadonlyArray<string> = [
  ...[
    "",
    " ",
    "0",
    "1",
    "true",
    "null",
    "undefined",
    "NaN",
    "1e3",
    "-1",
    "[]",
    "{}",
    "\0",
    "\ud800",
    "\udfff"
  ],
  ...["\ud83d", "😀", "\u202e", "\ufeff", "\ufffe", "e\u0301", "ﷺ", "ı", "ß", "__proto__", "constructor"],
  ...[
    "toString",
    "{{ticker}}",
    "{{strategy.order.action}}",
    "{{x}}",
    "$ne",
    "' OR 1=1 --",
    '"; DROP TABLE signals',
    "%s%n"
  ],
  ...[
    "../../etc/passwd",
    "BTC/USDT",
    "BTC-USDT",
    "BINANCE:BTCUSDT.P",
    "BTC/USDT:USDT",
    "binance",
    "kraken",
    "USD",
    "buy",
    "SELL"
  ],
  ...[
    "long",
    "close_short",
    "a\r\nb",
    "\u2028",
    "x".repeat(36),
    "x".repeat(256),
    "x".repeat(501),
    "😀".repeat(35),
    "x".repeat(5000)
  ]
]
const KEYS = [
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "",
    "\0",
    "id",
    "performance",
    "created_at"
  ],
  ...[
    "stop_loss_enabled",
    "strategy_id",
    "key",
    "symbol",
    "ticker",
    "action",
    "side",
    "time",
    "timenow",
    "timestamp"
  ],
  ...["tp", "sl", "name", "signal_id", "exchanges", "public", "\ud800", "x".repeat(1000)]
]
const TYPES = [
  ...[
    "application/json",
    "application/json; charset=utf-16",
    "application/json;charset=latin1",
    "text/plain"
  ],
  ...[
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=shift_jis",
    "text/json"
  ],
  ...[
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=x",
    "application/xml"
  ],
  ...[
    "application/octet-stream",
    "application/problem+json",
    "APPLICATION/JSON",
    "json",
    ";",
    "*/*",
    "image/png"
  ]
]
const QUERIES = [
  ...[
    "limit=0",
    "limit=1",
    "limit=500",
    "limit=501",
    "limit=-1",
    "limit=1e3",
    "limit=%00",
    "limit=1&limit=2",
    "limit"
  ],
  ...[
    "cursor=",
    "cursor=MQ",
    "cursor=%ff",
    "cursor=OTAwNzE5OTI1NDc0MDk5MQ",
    "cursor=LTE",
    "cursor=MQ&cursor=Mg",
    "%zz"
  ],
  ...[
    "signal_id=1&coin=BTC",
    "type=buy&type=sell",
    "key=x",
    "__proto__=1",
    "signal_id=1e999&tp=%F0%9F",
    "&&&=&=",
    "?"
  ]
]

/** Makes one bent request after another for an operation. `ids` are records that there are. */
export class Fuzz {
  private readonly random: Seeded
  private readonly strings: ReadonlyArray<string>

  constructor(random: Seeded, strings: ReadonlyArray<string>) {
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

  /** One change, somewhere within. */
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

  /** The body as text of some kind, often of another than its content type says. */
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

  /** JSON text with a flaw, or a liberty, that no object has. */
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
