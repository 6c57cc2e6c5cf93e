// Texts of a given size that are meant to be slow: repeated, nested, encoded, and long runs of what a reader looks
// for. Each shape gives a text of about the given number of characters, never more.

export type Shape = (size: number) => string
export type Shapes = Readonly<Record<string, Shape>>

/** Repeats a text. */
const runs =
  (unit: string, begin = "", end = ""): Shape =>
  (size) =>
    begin + unit.repeat(Math.max(1, Math.floor((size - begin.length - end.length) / bytesOf(unit)))) + end

/** Joins parts that differ. */
const joined =
  (join: string, unit: (index: number) => string, begin = "", end = ""): Shape =>
  (size) => {
    const parts: Array<string> = []
    let length = begin.length + end.length
    for (;;) {
      const part = unit(parts.length)
      length += part.length + join.length
      if (length > size) return begin + parts.join(join) + end
      parts.push(part)
    }
  }

const nested =
  (open: string, inner: string, close: string): Shape =>
  (size) => {
    const depth = Math.floor((size - inner.length) / (open.length + close.length))
    return open.repeat(depth) + inner + close.repeat(depth)
  }

const utf8 = new TextEncoder()
const bytesOf = (text: string) => utf8.encode(text).length

/** Texts that readers look for, to be repeated. */
const UNITS = [
  ..." aA1_-.,:;=&+/\\%#@<>()[]{}'\"\n\t\u0000",
  ...[
    "key:",
    "key=",
    "key:\n",
    "key: null;",
    'key:"',
    "key:'",
    "key:[",
    "key:{",
    'key=\\"',
    "key : ",
    "token"
  ],
  ...[
    "sbx_api_",
    "sbx_hook_a",
    "s\u200bb\u200bx",
    "eyJ",
    "-eyJ",
    "-eyJ.",
    "eyJaaaaaaaa.",
    "eyJaaaaaaaa.bbbb."
  ],
  ...[
    "//",
    "//a:",
    "//a:b",
    "bearer ",
    "basic ",
    "basic a",
    "basic aaaaaaaaaaaaaaaa ",
    "AbCd1234",
    "000000000 "
  ],
  ...["%25", "%41", "%4", "%2541", "%e2%82", "\\u00", "\\u0041", "\\x41", "\\u{41}", "&#", "&#65;", "&#x41;"],
  ...["\u200b", "\ud800", "é", "e\u0301", "ﬀ", "İ", "\u1100\u1161", "🚀", "\ufeff", "\u2028"],
  ...[
    "{{",
    "{{a}}",
    "{{ ",
    "{ ",
    "} {",
    ",}",
    ", //",
    ": NaN",
    "{a:",
    '{"',
    '""',
    '","',
    '"\n',
    "\r\n",
    "--a\r\n"
  ],
  ...[
    "a.",
    "a b ",
    "BTC",
    "BTC/USDT ",
    "BINANCE:",
    "BTCUSDT.P",
    "PERP",
    "buy ",
    "BUY_",
    "ENTER-LONG_",
    "close_long "
  ],
  ...[
    "data_",
    "payload_alert_",
    "aA",
    "a_",
    "market_position",
    "||",
    "=1;",
    "A=1;",
    "A = ",
    "1e9",
    "1,",
    "0.1",
    "+1"
  ],
  ...[
    "../",
    "*",
    "?",
    "**/",
    "a*",
    "key=a&",
    "&=",
    "a=1&",
    "a=&",
    'name="',
    'form-data; name="a"\n\n',
    "filename"
  ]
] as const

/** Long runs for each expression of a reader: alone, and behind the text with which the expression begins. */
export const TEXTS: Shapes = Object.fromEntries([
  ...UNITS.map((unit) => [`a run of ${JSON.stringify(unit)}`, runs(unit)] as const),
  ...[" ", "a", "9", "\t", "=", '"', "\\", "é"].flatMap((unit) => [
    [
      `JSON with a text of ${JSON.stringify(unit)}`,
      runs(JSON.stringify(unit).slice(1, -1), '{"action":"', 'x"}')
    ] as const,
    [`a run of ${JSON.stringify(unit)} that ends otherwise`, runs(unit, "a=", "!x")] as const
  ]),
  ["many different words", joined(" ", (index) => `w${index}`)],
  ["parts of a form", runs('--b\nform-data; name="a"\n\nx\n', "--b\n")]
])

/** Valid and broken bodies of JSON. */
export const JSONS: Shapes = {
  "nested objects": nested('{"a":', "1", "}"),
  "objects that do not end": runs('{"a":'),
  "nested lists": (size) => `{"a":${nested("[", "1", "]")(size - 6)}}`,
  "lists that do not end": runs("["),
  "many names": joined(",", (index) => `"n${index}":1`, "{", "}"),
  "one name again and again": joined(",", (index) => `"name":${index}`, "{", "}"),
  "a long name": runs("aA", '{"', '":1}'),
  "a long number": runs("1", '{"a":', "}"),
  "numbers beyond all": joined(",", () => "1e999", '{"a":[', "]}"),
  "a long escaped text": runs("\\u0000", '{"a":"', '"}'),
  "halves of pairs": runs("\\ud800", '{"a":"', '"}'),
  "blanks before it": runs(" ", "", "{}"),
  "a list of numbers": runs("1,", "[", "1]"),
  "a list of objects": runs("{},", "[", "{}]"),
  "names of what all objects have": joined(
    ",",
    (index) => `"${["__proto__", "constructor"][index % 2]}":{}`,
    "{",
    "}"
  )
}

/** Values of one field, as JSON: too long, too many, too deep, of the wrong kind. */
export const VALUES: Shapes = {
  "a long text": runs("a", '"', '"'),
  "a text of digits": runs("9", '"', '"'),
  "a text of blanks": runs(" ", '"', 'x"'),
  "a text of accents": runs("e\\u0301", '"', '"'),
  "a text of pairs": runs("BTC/USDT,", '"', '"'),
  "a long number": runs("7"),
  "many numbers": runs("1,", "[", "1]"),
  "many texts": joined(",", (index) => `"W${index}"`, "[", "]"),
  "one text again and again": runs('"BTC/USDT",', "[", '"BTC/USDT"]'),
  "many empty objects": runs("{},", "[", "{}]"),
  "many empty lists": runs("[],", "[", "[]]"),
  "many fields": joined(",", (index) => `"n${index}":1`, "{", "}"),
  "nested lists": nested("[", "1", "]"),
  "nested objects": nested('{"a":', "1", "}")
}

/** Fields of forms and of addresses. */
export const FORMS: Shapes = {
  "many names": joined("&", (index) => `n${index}=1`),
  "one name again and again": joined("&", (index) => `name=${index}`),
  "names without values": runs("a&"),
  "empty fields": runs("&="),
  "nothing but separators": runs("&"),
  "a long name": runs("a", "", "=1"),
  "a long value": runs("a", "name="),
  "plus signs": runs("+", "name="),
  "percent signs": runs("%25", "name="),
  "letters in percent signs": runs("%61", "name="),
  "broken percent signs": runs("%", "name="),
  "half a letter in percent signs": runs("%e2%82", "name="),
  "equals signs": runs("=", "name="),
  "two keys and more": joined("&", (index) => `key=${index}`)
}

/** The boundary of multipart bodies. */
export const BOUNDARY = "b"
const part = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const END = `--${BOUNDARY}--\r\n`

export const MULTIPARTS: Shapes = {
  "many parts": joined("", (index) => part(`n${index}`, "1"), "", END),
  "one part again and again": joined("", (index) => part("name", `${index}`), "", END),
  "empty parts": joined("", () => part("", ""), "", END),
  "a part of boundaries": runs(
    `--${BOUNDARY}`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n`,
    `\r\n${END}`
  ),
  "nothing but boundaries": runs(`--${BOUNDARY}\r\n`),
  "a part of dashes": runs("-", part("a", "").slice(0, -2), `\r\n${END}`),
  "a part of line ends": runs("\r\n", part("a", "").slice(0, -2), `\r\n${END}`),
  "a head that does not end": runs("a", `--${BOUNDARY}\r\nContent-Disposition: form-data; name="`),
  "many heads": joined("\r\n", (index) => `X-${index}: 1`, `--${BOUNDARY}\r\n`, `\r\n\r\n\r\n${END}`),
  files: joined("", () => part('a"; filename="b', "1"), "", END)
}

/** Values of plain characters for headers, parameters of an address, and ids in a path. */
export const WORDS: Shapes = Object.fromEntries(
  UNITS.filter((unit) => /^[\x20-\x7e]+$/.test(unit)).map((unit) => [
    `a run of ${JSON.stringify(unit)}`,
    runs(unit, "a")
  ])
)
