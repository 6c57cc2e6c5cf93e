import { expect, test } from "bun:test"
// The names are the library's own: one that is renamed there is found here.
import * as Errors from "../../node_modules/ccxt/js/src/base/errors.js"
import { failureOf, type RequestFailure } from "../../src/ccxt/Failure.ts"

const SECRET = "https://exchange.example/?token=8f1d <script> 429"

const known: Record<string, RequestFailure> = {
  RateLimitExceeded: { reason: "it limits our requests", pauseMs: 5000, isLimit: true },
  DDoSProtection: { reason: "it limits our requests", pauseMs: 30_000, isLimit: true },
  OnMaintenance: { reason: "it is under maintenance", pauseMs: 10_000, isLimit: false },
  ExchangeNotAvailable: { reason: "it is not available", pauseMs: 0, isLimit: false },
  RequestTimeout: { reason: "it does not answer", pauseMs: 0, isLimit: false },
  NetworkError: { reason: "it cannot be reached", pauseMs: 0, isLimit: false },
  BadSymbol: { reason: "it does not know one of the markets", pauseMs: 10_000, isLimit: false },
  NullResponse: { reason: "its answer is empty", pauseMs: 0, isLimit: false }
}
const errors = new Map(Object.entries(Errors))
for (const [name, failure] of Object.entries(known)) {
  test(`${name} gets a reason of our own`, () => {
    const Known = errors.get(name)
    if (typeof Known !== "function") throw new Error(`the library has no ${name}`)
    expect(failureOf("okx", Reflect.construct(Known, [SECRET]), undefined)).toEqual(failure)
  })
}

const UNKNOWN = { reason: "its answer is not understood", pauseMs: 0, isLimit: false }
const strange: Record<string, unknown> = {
  "an error of the language": new TypeError(SECRET),
  "another error of the library": new Errors.ExchangeError(SECRET),
  "a text": SECRET,
  "a number": 429,
  nothing: undefined,
  null: null,
  "an object with a name of objects": { name: "constructor", message: SECRET },
  "an object with the name of what all have": { name: "__proto__" },
  "an object whose fields are none": { name: {}, message: Symbol("x") }
}
for (const [what, error] of Object.entries(strange))
  test(`${what} is not understood, and none of its text is repeated`, () =>
    expect(failureOf("okx", error, { "retry-after": "7" })).toEqual(UNKNOWN))

const LIMIT = new Errors.RateLimitExceeded(SECRET)
const pauses: ReadonlyArray<readonly [headers: unknown, pauseMs: number]> = [
  [{ "retry-after": "7" }, 7000],
  [{ "Retry-After": "7" }, 7000],
  [{ "Retry-After": 7 }, 7000],
  [{ "Retry-After": "0.5" }, 500],
  [{ "Retry-After": "99999999" }, 600_000],
  [{ "Retry-After": "Infinity" }, 600_000],
  [{ "Retry-After": "0" }, 5000],
  [{ "Retry-After": "-5" }, 5000],
  [{ "Retry-After": "" }, 5000],
  [{ "Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT" }, 5000],
  [{ "Retry-After": {} }, 5000],
  [{}, 5000],
  ["Retry-After: 7", 5000],
  [null, 5000]
]
test.each(pauses)("a limit with the headers %j pauses for %i ms", (headers, pauseMs) =>
  expect(failureOf("okx", LIMIT, headers)).toEqual({
    reason: "it limits our requests",
    pauseMs,
    isLimit: true
  })
)

test("without a limit no header causes a pause", () =>
  expect(failureOf("okx", new Errors.RequestTimeout(SECRET), { "Retry-After": "7" }).pauseMs).toBe(0))

test("KuCoin's rate limit is one, whatever ccxt calls it", () => {
  const error = new Errors.ExchangeError(`kucoin {"code":"429000","msg":"Too many requests"}`)
  expect(failureOf("kucoin", error, { "Retry-After": "3" })).toEqual({
    reason: "it limits our requests",
    pauseMs: 3000,
    isLimit: true
  })
})
