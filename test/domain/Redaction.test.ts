import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { makeSecret } from "../../src/domain/Account.ts"
import { MAX_KEPT, redact, WITHHELD } from "../../src/domain/internal/Redaction.ts"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { alertBodies, naughty } from "../reliability/walls/Corpus.ts"

const dice = new SeededRandom(7)
const bytes = () => Uint8Array.from({ length: 96 }, () => dice.below(256))
const token = (): string => Option.getOrElse(makeSecret(dice.pick(["full", "alerts"]), bytes()), token)

const JSON_BODY = `{"signal_id":1,"coin":"BTC","quote_currency":"USDT","type":"buy"}`

describe("text without a secret is kept as it came", () => {
  const clean = [
    JSON_BODY,
    "",
    "?signal_id=1&coin=BTC&quote_currency=USDT&type=buy",
    `{\n\t"signal_id": 1,\n\t"ticker": "BINANCE:BTCUSDT.P",\n\t"time": "2026-01-01T00:00:00Z", "price": 61240.5}`,
    "signal_id=1&ticker=BTCUSDT&action=buy&comment=50%25+off",
    `{"strategy":"SuperTrend_15m_long_entry_on_close_of_the_bar","session":"London","id":"a-1"}`,
    `{"comment":"key level at 61240 is held","note":"he said \\"go\\" at https://example.com/a?b=c"}`,
    `{"token":null,"secret":""}`,
    "Long BTC @ 61240\nTP: 62000\nSL: 60000",
    "größer als 5 € 🚀"
  ]
  test.each(clean)("%s", (text) => expect(redact(text)).toBe(text))
})

describe("a secret is recognized by its name or its looks", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    [`{"key":"hunter2","coin":"BTC"}`, `{"key":"[redacted]","coin":"BTC"}`],
    ["pw=hunter2&coin=BTC", "pw=[redacted]&coin=BTC"],
    [`{"&#0112;in":1234}`, `{"pin":[redacted]}`],
    [`{"\\u{70}w":"hunter2"}`, `{"pw":"[redacted]"}`],
    [`{"api_key" : 'hun"ter2', "coin":"BTC"}`, `{"api_key" : '[redacted]', "coin":"BTC"}`],
    [`{"passphrase":"a\\"b\\\\","coin":"BTC"}`, `{"passphrase":"[redacted]","coin":"BTC"}`],
    [`{"pin":1234,"coin":"BTC"}`, `{"pin":[redacted],"coin":"BTC"}`],
    [`{"auth":{"user":"x}","pass":["y"]},"coin":"BTC"}`, `{"auth":[redacted],"coin":"BTC"}`],
    [`{"userToken":"x1","emailToken":"x2"}`, `{"userToken":"[redacted]","emailToken":"[redacted]"}`],
    [
      `"{\\"secret\\":\\"hunter2\\",\\"coin\\":\\"BTC\\"}"`,
      `"{\\"secret\\":\\"[redacted]\\",\\"coin\\":\\"BTC\\"}"`
    ],
    [`{"secret":"hunter2`, `{"secret":"[redacted]`],
    [`{"t\\u006fken":"hunter2"}`, `{"token":"[redacted]"}`],
    ["password=hunter2&coin=BTC", "password=[redacted]&coin=BTC"],
    ["coin=BTC&api%5Fkey=hunter2", "coin=BTC&api_key=[redacted]"],
    ["%2574oken=hunter2&coin=BTC", "token=[redacted]&coin=BTC"],
    [`{"url":"https://x.example/?key=hunter2&a=1"}`, `{"url":"https://x.example/?key=[redacted]&a=1"}`],
    [`{"url":"https://me:hunter2@x.example/"}`, `{"url":"https://[redacted]@x.example/"}`],
    ["Authorization: Basic dXNlcjpwYXNz\ncoin: BTC", "Authorization: [redacted]\ncoin: BTC"],
    ["say Bearer abc.def-ghi now", "say Bearer [redacted] now"],
    ["api key = correct horse battery\ncoin = BTC", "api key = [redacted]\ncoin = BTC"],
    ["id 0123456789abcdef0123456789abcdef x", "id [redacted] x"],
    ["u 3f2504e0-4f89-11d3-9a0c-0305e82c3301 x", "u [redacted] x"],
    [`{"a":"eyJhbGciOiJIUzI1.eyJzdWIi.c2ln"}`, `{"a":"[redacted]"}`],
    ["60123456789,buy,EURUSD,risk=1", "[redacted],buy,EURUSD,risk=1"],
    [
      `--b\r\nContent-Disposition: form-data; name="coin"\r\n\r\nBTC\r\n--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nhun\r\nter2\r\n--b--\r\n`,
      `--b\nContent-Disposition: form-data; name="coin"\n\nBTC\n--b\nContent-Disposition: form-data; name="token"\n\n[redacted]\n--b--\n`
    ],
    ["a\u0000b\u202Ec\u200Bd\r", "a<U+0000>b<U+202E>c<U+200B>d<U+000D>"],
    ["x\uD800y", "x<U+D800>y"]
  ]
  test.each(cases)("%s", (text, shown) => {
    expect(redact(text)).toBe(shown)
    expect(redact(shown)).toBe(shown)
  })
})

/** Ways to put a token into a text. */
const dressed: ReadonlyArray<readonly [string, (secret: string) => string]> = [
  ["plain", (secret) => `{"coin":"BTC","note":"${secret}"}`],
  ["under a name", (secret) => `{"token":"${secret}"}`],
  ["in an address", (secret) => `?key=${secret}&coin=BTC`],
  ["with percent signs", (secret) => `coin=BTC&x=${percented(secret)}`],
  ["with percent signs twice", (secret) => `coin=BTC&x=${percented(percented(secret))}`],
  ["escaped", (secret) => `{"x":"${escaped(secret)}"}`],
  ["as entities", (secret) => [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join("")],
  ["in two fields", (secret) => halves(secret, (one, two) => `{"a":"${one}","b":"${two}"}`)],
  ["in two fields, the other way round", (secret) => halves(secret, (one, two) => `b=${two}&a=${one}`)],
  ["in two lines", (secret) => halves(secret, (one, two) => `${one}\n${two}`)],
  [
    "with nothing to be seen between",
    (secret) => [...secret].join(dice.pick(["\u200b", "\u0000", " ", "-", "\n"]))
  ],
  ["broken by what is not seen", (secret) => halves(secret, (one, two) => `${one}\u200d${two}`)],
  ["at the very end of what is kept", (secret) => `${" ".repeat(dice.whole(1900, 2010))}${secret}`],
  [
    "as the value of a part",
    (secret) => `--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n${secret}\r\n--b--`
  ],
  ["in a text of JSON in JSON", (secret) => JSON.stringify(JSON.stringify({ x: secret }))]
]
const halves = (secret: string, put: (one: string, two: string) => string) => {
  const place = dice.whole(1, secret.length - 1)
  return put(secret.slice(0, place), secret.slice(place))
}
const percented = (text: string) =>
  text.replace(/./g, (letter) => (dice.chance(0.5) ? `%${letter.charCodeAt(0).toString(16)}` : letter))
const escaped = (text: string) =>
  text.replace(/./g, (letter) =>
    dice.chance(0.5) ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}` : letter
  )

/** Letters of the secret that may be left: a lone end of it, as where it is cut in two far from the middle. */
const MOST_LETTERS = 14

const longestLeft = (secret: string, shown: string): number => {
  const letters = shown.replace(/<U\+[0-9A-F]+>|\[redacted\]|[^0-9A-Za-z_]/g, "")
  let longest = 0
  for (let from = "sbx_hook_".length; from < secret.length; from++)
    while (from + longest < secret.length && letters.includes(secret.slice(from, from + longest + 1)))
      longest++
  return longest
}

describe("no token gets out, however it is encoded", () => {
  test.each(dressed)("%s", (_, put) => {
    for (let round = 0; round < 300; round++) {
      const secret = token()
      const shown = redact(put(secret))
      expect([secret, shown, longestLeft(secret, shown) <= MOST_LETTERS]).toEqual([secret, shown, true])
      expect(redact(shown)).toBe(shown)
      expect(shown.length).toBeLessThanOrEqual(MAX_KEPT)
    }
  })
  test("not even at the end of the part that is searched", () => {
    for (let round = 0; round < 600; round++) {
      const secret = token()
      const [, put] = dice.pick(dressed)
      const before = dice.pick(["pw=", `{"key":"`, "\u200b", ""])
      const filled = before + dice.pick(["x ", "xy", "%78"]).repeat(4_000).slice(0, dice.whole(7_000, 8_100))
      const shown = redact(
        `${filled}${dice.pick(["&", `",`, "\n", " "])}${put(secret)}${" and more".repeat(200)}`
      )
      expect([secret, shown, longestLeft(secret, shown) <= MOST_LETTERS]).toEqual([secret, shown, true])
      expect(redact(shown)).toBe(shown)
    }
  })
  test("a token in pieces withholds the whole text", () =>
    expect(redact("sbx_hook_abc and more")).toBe(WITHHELD))
})

const snippets = [
  ...[
    `"key":"`,
    `\\"`,
    `"`,
    "'",
    "{",
    "}",
    "[",
    "]",
    ":",
    "=",
    "&",
    ",",
    ";",
    "\n",
    "\r\n",
    " ",
    "%3D",
    "%22",
    "%25"
  ],
  ...[
    "token",
    "auth",
    "Bearer ",
    "sbx_",
    "sbx_api_",
    "hook_",
    "://",
    "@",
    "\u200b",
    "\uD83D",
    "\\",
    "\\u0073",
    "&#115;"
  ],
  ...[
    '--b\nContent-Disposition: form-data; name="key"\n\n',
    "[redacted]",
    "A1b2".repeat(9),
    "x".repeat(31),
    "é"
  ]
]

describe("redacting", () => {
  test("twice changes nothing, for any text", () => {
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: dice.whole(1, 14) }, () => dice.pick(snippets)).join("")
      const once = redact(text)
      expect([text, redact(once)]).toEqual([text, once])
    }
  })
  test("handles naughty strings and the alerts of all services", () => {
    for (const text of [...naughty(), ...alertBodies().map(({ body }) => body)]) {
      const once = redact(text)
      expect(redact(once)).toBe(once)
      expect(once.isWellFormed()).toBe(true)
      expect(once).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/)
    }
  })
  test("cuts a long text between characters", () => {
    const shown = redact("🚀".repeat(1500))
    expect(shown.length).toBeLessThanOrEqual(MAX_KEPT)
    expect(shown.endsWith("🚀…")).toBe(true)
    expect(redact("a ".repeat(1000))).toBe("a ".repeat(1000))
    expect(redact("a ".repeat(1001)).length).toBe(MAX_KEPT)
  })
  test("takes time in proportion to the text", () => {
    for (const part of [
      ":",
      "key=",
      `key:"`,
      `\\"`,
      "\\",
      "eyJ",
      "basic ",
      "//",
      "//a:",
      "[",
      "%25",
      "a",
      "A1-",
      "sbx_api_"
    ]) {
      const text = `${part.repeat(Math.floor(65_536 / part.length))}key`
      const before = performance.now()
      redact(text)
      expect([part, performance.now() - before < 400]).toEqual([part, true])
    }
  })
})
