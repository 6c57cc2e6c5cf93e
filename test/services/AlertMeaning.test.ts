// What a request at an alert door means: the one function of both lanes, as a table of requests.
import { expect, test } from "bun:test"
import { FastCheck } from "effect"
import { AccountId, type Identity, TokenId } from "../../src/domain/Account.ts"
import { shelve } from "../../src/domain/alert/AlertPairs.ts"
import type { AlertPost } from "../../src/domain/alert/Incoming.ts"
import type { Signal } from "../../src/domain/Signal.ts"
import { type Known, meaningOf } from "../../src/services/alerts/AlertMeaning.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"

const SENDER: Identity = { account: AccountId.make(1), token: TokenId.make(7), scope: "alerts" }
const BUY = { signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy" }

const signal = (active: boolean): Signal => Fixtures.signal({ account: SENDER.account, active })
const known = (found: Signal | undefined): Known => ({
  signal: () => found,
  pairs: () => ({ own: shelve([]) }),
  digest: (text) => `#${text}`
})
const post = (fields: object, changes: Partial<AlertPost> = {}): AlertPost => {
  const text = JSON.stringify(fields)
  const base = { door: "alert", contentType: "application/json", query: "", idempotencyKey: null } as const
  return { ...base, warnings: [], text, body: text, ...changes }
}
const meaning = (request: AlertPost, found: Signal | undefined = signal(true)) =>
  meaningOf(SENDER, request, known(found))

/** The meaning in short: of an alert how it is recognised again, of an error its words. */
const short = (request: AlertPost, found?: Signal) => {
  const it = meaning(request, found)
  switch (it._tag) {
    case "Alert": {
      const { sameness } = it.draft
      return sameness === undefined
        ? "an alert of its own"
        : `${sameness.key.slice(1, 8).replace(/\W/g, "")} for ${sameness.spanMs} ms, else ${sameness.onOtherBody}`
    }
    case "Refused":
      return it.error._tag === "Violations" ? Object.keys(it.error.errors).join(", ") : it.error._tag
    default:
      return it._tag
  }
}

test.each([
  ["a plain alert", post(BUY), "an alert of its own"],
  ["with a key", post(BUY, { idempotencyKey: "k" }), "key for 86400000 ms, else refuse"],
  [
    "with a key and an id",
    post({ ...BUY, id: "i" }, { idempotencyKey: "k" }),
    "key for 86400000 ms, else refuse"
  ],
  ["with an id", post({ ...BUY, id: "i" }), "id for 86400000 ms, else warn"],
  ["with a time", post({ ...BUY, time: "2026-01-01" }), "time for 20000 ms, else warn"],
  ["a test", post({ ...BUY, test: true }), "Test"],
  ["with a key that is none", post(BUY, { idempotencyKey: "a b" }), "Idempotency-Key"],
  ["an invalid key and no alert", post({}, { idempotencyKey: "" }), "Idempotency-Key"],
  ["plain words", post({}, { body: "buy now", contentType: "text/plain" }), "AlertUnreadable"],
  ["no type", post({ ...BUY, type: undefined }), "type"],
  ["a symbol that no strategy trades", post({ signal_id: 1, symbol: "PEPEUSDT", type: "buy" }), "Unknown"]
])("%s", (_, request, expected) => expect(short(request)).toBe(expected))

test("a signal that is not at hand has to be looked up, also before violations are reported", () => {
  for (const request of [post(BUY), post({ ...BUY, type: "up" }), post({ ...BUY, test: true })])
    expect(meaningOf(SENDER, request, known(undefined))).toMatchObject({ _tag: "Unknown", what: "signal" })
})

test("an inactive signal is an error, beside those of the fields", () => {
  expect(short(post(BUY), signal(false))).toBe("SignalInactive")
  expect(short(post({ ...BUY, test: true }), signal(false))).toBe("SignalInactive")
  expect(short(post({ ...BUY, type: "up" }), signal(false))).toBe("type, signal_id")
})

test("warnings of the door follow those of the fields, and the body is stored redacted", () => {
  const it = meaning(post({ ...BUY, password: "secret" }, { warnings: ["a warning of the door's"] }))
  if (it._tag !== "Alert") throw new Error(it._tag)
  expect(it.draft.warnings.at(-1)).toBe("a warning of the door's")
  expect(it.draft.incoming?.body).not.toContain("secret")
})

test("no alert that is stored holds a NUL, which not every database takes, wherever one stood in the request", () => {
  const names = ["id", "time", "note", "tp", "leverage", "coin", "type", "action"]
  const text = FastCheck.string({ unit: FastCheck.constantFrom("\0", "B", "T", "C", "1", "{", "<") })
  const fields = FastCheck.dictionary(FastCheck.constantFrom(...names), text)
  let stored = 0
  FastCheck.assert(
    FastCheck.property(fields, text, text, (fields, query, end) => {
      const ofFields = meaning(post({ ...BUY, ...fields }, { query, text: JSON.stringify(fields) + end }))
      const plain = "signal_id=1 coin=BTC quote_currency=USDT type=buy"
      const ofText = meaning(
        post({}, { text: plain + end, body: plain + end, contentType: "text/plain", query })
      )
      for (const it of [ofFields, ofText]) {
        if (it._tag !== "Alert") continue
        stored++
        const { incoming, instruction, sameness } = it.draft
        const { coin, quoteCurrency, type } = instruction
        for (const kept of [coin, quoteCurrency, type, incoming?.body]) expect(kept).not.toContain("\0")
        // The key is stored as a digest, which is one of a fixed alphabet.
        expect(sameness === undefined || sameness.key.startsWith("#")).toBe(true)
      }
    })
  )
  expect(stored).toBeGreaterThan(20)
})
