// Collected strings and documents that break programs, as values and as bodies: refused, or kept unchanged.
import { join } from "node:path"
import { inFolder } from "./Program.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"
import { type Reply, textOf } from "./Wire.ts"
import { type Cast, cast } from "./walls/Cast.ts"
import { alertBodies, type JsonCase, jsonCases, naughty } from "./walls/Corpus.ts"
import { crowd, json, type Person, signed, told } from "./walls/Person.ts"
import { strategy } from "./walls/Routes.ts"

const NO_BOUNDS = ["--max-signals", "1000000", "--max-strategies", "1000000"]
/** The limits of the interface, in code points: name and description of signals, then of strategies. */
const SIGNAL = { name: 35, description: 120 }
const STRATEGY = { name: 255, description: 500 }

/** Our own texts beside the collected ones: at the limits, and with characters of two UTF-16 units. */
const texts: ReadonlyArray<string> = [
  ...[
    "😀".repeat(35),
    "😀".repeat(36),
    "😀".repeat(120),
    "😀".repeat(121),
    "😀".repeat(255),
    "😀".repeat(500)
  ],
  ...[
    "x".repeat(35),
    "x".repeat(36),
    "é".normalize("NFC"),
    "é".normalize("NFD"),
    "\u200b",
    "\ufeff",
    "\uffff"
  ],
  ...[
    " ",
    "  two  ",
    "\t",
    "\r\n",
    "\n",
    "\u0000",
    "a\u0000",
    "\u0001",
    "\u007f",
    "\u0085",
    "\u2028",
    "\u{10ffff}"
  ],
  ...[
    "\ud800",
    "\udc00",
    "a\ud800b",
    "\udc00\ud800",
    "ﬁ",
    "İ",
    "ı",
    "ẞ",
    "Å",
    "\u212b",
    "+",
    "%2B",
    "%00",
    "a=b&c",
    "{{x}}"
  ],
  ...[
    "true",
    "null",
    "0",
    "1e3",
    "NaN",
    "[object Object]",
    "__proto__",
    "constructor",
    "👩‍👩‍👧‍👦",
    "🏳️‍🌈",
    "👍🏿",
    "\u202eevil",
    "0\u0301".repeat(17)
  ]
]

export const suite: Suite = ({ short }) =>
  inFolder(async (folder) => {
    const stage = await cast(join(folder, "x.db"), NO_BOUNDS)
    try {
      const some = <A>(all: ReadonlyArray<A>, share: number) =>
        short ? all.filter((_, index) => index % share === 0) : all
      const all = [...new Set([...texts, ...some(naughty(), 12)])]
      const cases = some(jsonCases(), 6)
      return [
        await kept(stage, all),
        await documents(stage, cases),
        await alerts(stage),
        await faultless(stage)
      ]
    } finally {
      await stage.close()
    }
  })
export default suite

const kept = async ({ ann, server }: Cast, all: ReadonlyArray<string>): Promise<Row> => {
  const tally = new Tally()
  let refused = 0
  await crowd(server.port, ann.token, all, async (ann, text) => {
    for (const field of ["name", "description"] as const) {
      for (const [path, ask, max] of [
        ["/v1/signals", asJson(signalWith(field, text)), SIGNAL[field]],
        ["/v1/signals", asForm(signalWith(field, text)), SIGNAL[field]],
        ["/v1/signals", asParts(signalWith(field, text)), SIGNAL[field]],
        ["/v1/strategies", asJson({ ...strategy, [field]: text }), STRATEGY[field]]
      ] as const) {
        const made = await ann.line.ask(signed({ method: "POST", target: path, ...ask.request }, ann.token))
        const isGood = ask.faithful && fits(text, max, field === "description")
        const saw = () =>
          `${ask.dialect} ${path} ${field} ${JSON.stringify(text).slice(0, 80)}: ${told(made)}`
        if (isGood === (made?.status === 201)) tally.check(true, saw)
        // A form or a part cannot carry every text. Such a text is refused, or kept as it arrived.
        else tally.check(!ask.faithful && (made?.status === 201 || isRefusal(made)), saw)
        if (!isGood) tally.check(made?.status === 201 || isRefusal(made), saw)
        if (made?.status !== 201) refused++
        else if (ask.faithful) await same(ann, made, field, text, tally, saw)
        if (made?.status === 201) await ann.ask("DELETE", made.headers.get("location") ?? "")
      }
    }
  })
  return tally.row(
    "values: names and descriptions",
    `${all.length} texts, ${refused} refused, all others as sent`
  )
}

/** Checks that the answer, the record and the list have the text as it was sent. */
const same = async (
  who: Person,
  made: Reply,
  field: "name" | "description",
  text: string,
  tally: Tally,
  saw: () => string
): Promise<void> => {
  const read = await who.ask("GET", made.headers.get("location") ?? "")
  for (const reply of [made, read]) {
    const { [field]: found }: Readonly<Record<string, unknown>> = JSON.parse(
      reply === undefined ? "{}" : textOf(reply)
    )
    tally.check(found === text, () => `came back as ${JSON.stringify(found)}: ${saw()}`)
  }
}

const signalWith = (field: "name" | "description", text: string) => ({
  name: "A name",
  description: "A description",
  active: true,
  public: false,
  [field]: text
})

interface Dialect {
  readonly dialect: string
  /** Whether the dialect can carry this text. */
  readonly faithful: boolean
  readonly request: { readonly body: string; readonly headers: Readonly<Record<string, string>> }
}

const asJson = (body: object): Dialect => ({
  dialect: "JSON",
  faithful: true,
  request: json(body)
})

const asForm = (body: Readonly<Record<string, unknown>>): Dialect => {
  const fields = Object.entries(body).map(([key, value]): [string, string] => [key, flat(value)])
  return {
    dialect: "form",
    faithful: fields.every(([, value]) => value.isWellFormed()),
    request: {
      body: new URLSearchParams(fields).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" }
    }
  }
}

const asParts = (body: Readonly<Record<string, unknown>>): Dialect => {
  const parts = Object.entries(body).map(
    ([key, value]) => `--xyz\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${flat(value)}\r\n`
  )
  return {
    dialect: "multipart",
    // A part that begins with a byte order mark is refused, since the runtime would drop it.
    faithful: Object.values(body)
      .map(flat)
      .every((value) => value.isWellFormed() && !value.startsWith("\ufeff")),
    request: {
      body: `${parts.join("")}--xyz--\r\n`,
      headers: { "content-type": "multipart/form-data; boundary=xyz" }
    }
  }
}

const flat = (value: unknown): string => (value === true ? "1" : value === false ? "0" : String(value))

/** The interface's rules for texts, written again without the program's code. */
const fits = (text: string, max: number, emptyAllowed: boolean): boolean =>
  (emptyAllowed || text !== "") &&
  [...text].length <= max &&
  !text.includes("\0") &&
  Buffer.from(text, "utf8").toString("utf8") === text

/** Sends every document as the whole body, and if it is JSON as one field of a valid one. */
const documents = async (stage: Cast, cases: ReadonlyArray<JsonCase>): Promise<Row> => {
  const tally = new Tally()
  const { ann: owner, hook, server } = stage
  const id = await owner.make("strategy", {})
  const targets = [
    ["POST", "/v1/signals"],
    ["POST", "/v1/strategies"],
    ["PUT", `/v1/strategies/${id}`],
    ["POST", "/v1/signals/alert"],
    ["POST", `/v1/signals/charting?key=${hook.token}`]
  ] as const
  await crowd(server.port, owner.token, cases, async (ann, { bytes, expect, name }) => {
    for (const [method, target] of targets) {
      const headers = { "content-type": "application/json" }
      const reply = await ann.line.ask(signed({ method, target, body: bytes, headers }, ann.token))
      const saw = () => `${name} to ${method} ${target}: ${told(reply)}`
      // An empty object changes no setting, and unknown fields of a document are ignored.
      const mayPass = method === "PUT" && expect !== "reject"
      tally.check(isRefusal(reply) || (mayPass && reply?.status === 200), saw)
      // A form is text too, so malformed JSON must be refused only by operations that read JSON alone.
      if (expect === "reject" && target.startsWith("/v1/strategies")) tally.check(reply?.status === 400, saw)
    }
    if (expect === "reject") return
    for (const field of ["name", "active", "unknown"]) {
      const body = Buffer.concat([
        Buffer.from('{"description":"","public":false,"active":true,"name":"x",'),
        Buffer.from(`"${field}":`),
        bytes,
        Buffer.from("}")
      ])
      const headers = { "content-type": "application/json" }
      const reply = await ann.line.ask(
        signed({ method: "POST", target: "/v1/signals", body, headers }, ann.token)
      )
      tally.check(reply?.status === 201 || isRefusal(reply), () => `${name} as ${field}: ${told(reply)}`)
      if (reply?.status === 201) await ann.ask("DELETE", reply.headers.get("location") ?? "")
    }
  })
  return tally.row("values: JSON documents", `${cases.length} documents`)
}

/** The alert bodies of other services, each also with our signal in it. */
const alerts = async ({ ann, hook }: Cast): Promise<Row> => {
  const tally = new Tally()
  const signal = await ann.make("signal", {})
  const statuses = new Map<number, number>()
  for (const { body, source, type } of alertBodies()) {
    for (const extra of ["", `&signal_id=${signal}`]) {
      for (const [target, headers] of [
        [`/v1/signals/charting?key=${hook.token}${extra}`, { "content-type": type }],
        [`/v1/signals/charting?key=${hook.token}${extra}`, {}],
        [`/v1/signals/alert?x=y${extra}`, { "content-type": type }]
      ] as const) {
        const reply = await ann.line.ask(signed({ method: "POST", target, body, headers }, ann.token))
        statuses.set(reply?.status ?? 0, (statuses.get(reply?.status ?? 0) ?? 0) + 1)
        tally.check(reply?.status === 200 || isRefusal(reply), () => `${body} (${source}): ${told(reply)}`)
      }
    }
  }
  const each = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} x ${count}`)
  return tally.row("values: alert bodies", each.join(", "))
}

const isRefusal = (reply: Reply | undefined): boolean =>
  reply !== undefined && reply.status >= 400 && reply.status < 500

const faultless = async ({ server }: Cast): Promise<Row> => {
  const tally = new Tally()
  const ready = await server.fetch("/readyz")
  tally.check(ready.status === 200, () => `readyz is ${ready.status}`)
  const faults = server.printed.split("\n").filter((line) => line.includes("a request failed"))
  tally.check(faults.length === 0, () => `${faults.length} faults in the log: ${faults[0]}`)
  return tally.row("values: the server afterwards", "ready, no fault logged")
}
