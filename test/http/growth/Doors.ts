// Every operation of the contract with all that it takes from its caller, and hostile texts for each of these. What the
// contract takes and nobody here knows how to make hostile is an error.
import * as OpenApi from "@effect/platform/OpenApi"
import { Api } from "../../../src/api/Api.ts"
import { strategyRequest } from "../../../src/testing/Fixtures.ts"
import {
  BOUNDARY,
  FORMS,
  JSONS,
  MULTIPARTS,
  type Shape,
  type Shapes,
  TEXTS,
  VALUES,
  WORDS
} from "../../lib/hostile.ts"

/** A request but for its server. */
export interface Asked {
  readonly target: string
  readonly init: RequestInit
}

/** One input of an operation: its shapes, the size of the large ones in bytes, and the request that carries a text. */
export interface Input {
  readonly name: string
  readonly shapes: Shapes
  readonly size: number
  readonly ask: (text: string) => Asked
}

export interface Door {
  readonly name: string
  readonly inputs: ReadonlyArray<Input>
}

const BODY_BYTES = 65_536
/** The length of a request's head, less its other lines. */
const HEAD_BYTES = 14_336

/** Headers that are read with every request, or before its operation is known. */
const HEADERS = [
  "authorization",
  "cookie",
  "origin",
  "content-type",
  "accept",
  "accept-encoding",
  "if-none-match"
]
const HEADERS_TOO = ["sec-fetch-site", "x-forwarded-for", "x-forwarded-proto", "forwarded"]

/** Paths outside the contract. */
const PAGES = ["/", "/healthz", "/readyz", "/metrics", "/docs", "/guide", "/openapi.json", "/nowhere"]

/** A valid body of each operation that takes one. Hostile values replace its values one at a time. */
const signal = { name: "A signal", description: "of mine", active: true, public: false }
const alert = { signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy", tp: 1, sl: 1 }
const position = { exchange: "binance", pair: "BTC/USDT", kind: "spot", preview: true }
export const GOOD: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "POST /v1/signals": signal,
  "PUT /v1/signals/{id}": signal,
  "POST /v1/signals/charting": alert,
  "POST /v1/signals/alert": alert,
  "POST /v1/alerts/parse": alert,
  "POST /v1/strategies": { ...strategyRequest(), signal_id: 1 },
  "PUT /v1/strategies/{id}": { ...strategyRequest(), signal_id: 1 },
  "POST /v1/strategies/{id}/copy": { name: "Copy", signal_id: 1 },
  "POST /v1/notifications": { kind: "webhook", url: "https://a.example/", events: ["storage"] },
  "POST /v1/tokens": { scope: "alerts", expires_days: 1 },
  "POST /v1/dashboard/session": { token: "sbx_api_x" },
  "PUT /v1/dashboard/exchange": { name: "binance", active: true },
  "PUT /v1/dashboard/market": { exchange: "binance", pair: "BTC/USDT", kind: "spot", active: true },
  "POST /v1/dashboard/markets/refreshes": { exchange: "binance" },
  "POST /v1/dashboard/candles/download": {
    exchange: "binance",
    pair: "BTC/USDT",
    kind: "spot",
    timeframe: "1m",
    from: "2025-11-01",
    to: "2025-11-02"
  },
  "POST /v1/dashboard/candles/remove": {
    exchange: "binance",
    pair: "BTC/USDT",
    kind: "spot",
    timeframe: "1m"
  },
  "POST /v1/dashboard/rule": {
    timeframe: "1h",
    params: { n: 1 },
    expressions: [{ text: "close > n", type: "boolean" }],
    complete: { text: "clo", place: 3 }
  },
  "POST /v1/dashboard/backtests": {
    strategy: strategyRequest(),
    candles: [{ pair: "BTC/USDT", csv: "1735689600,1,1,1,1,1" }],
    alerts: { text: "" },
    balance: 100
  },
  "POST /v1/dashboard/strategies/{id}/what-if": { changes: { buy_percentage: 20 }, from: 0, to: 1 },
  "POST /v1/strategies/{id}/positions/close": { ...position, percent: 50 },
  "POST /v1/strategies/{id}/positions/cancel": position,
  "POST /v1/strategies/{id}/positions/targets": { ...position, tp: 2, sl: 1 },
  "POST /v1/strategies/{id}/arming": { account: 1, capital: 100, max_order: 10, max_daily_loss: 5 }
}

type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null
const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), value)

const document: unknown = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
const components = at(document, "components", "schemas")

const resolved = (schema: unknown): unknown => {
  const ref = at(schema, "$ref")
  return typeof ref === "string" ? resolved(at(components, ref.replace("#/components/schemas/", ""))) : schema
}

/** The places of a schema's values: `exchanges`, `exchanges.0.coin_pairs`. */
const placesOf = (schema: unknown, depth = 0): ReadonlyArray<ReadonlyArray<string>> => {
  const known = resolved(schema)
  if (depth > 3) return []
  const alternatives = [at(known, "anyOf"), at(known, "oneOf")].flatMap((it) => (Array.isArray(it) ? it : []))
  const inner = Object.entries(at(known, "properties") ?? {}).flatMap(([name, of]) => [
    [name],
    ...placesOf(of, depth + 1).map((rest) => [name, ...rest])
  ])
  const items = at(known, "items")
  const listed =
    items === undefined ? [] : [["0"], ...placesOf(items, depth + 1).map((rest) => ["0", ...rest])]
  return [...inner, ...listed, ...alternatives.flatMap((it) => placesOf(it, depth))]
}

/** The text of a body with a hostile value at a place. */
const MARK = "put it here"
const withValue = (good: unknown, [first, ...rest]: ReadonlyArray<string>): unknown => {
  if (first === undefined) return MARK
  if (first === "0") return [withValue(Array.isArray(good) ? good[0] : undefined, rest)]
  return { ...(isJson(good) ? good : {}), [first]: withValue(at(good, first), rest) }
}

const bodyOf = (type: string, text: string): RequestInit => {
  const bytes = new TextEncoder().encode(text)
  return { body: bytes, headers: { "content-type": type, "content-length": `${bytes.length}` } }
}
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`
const around = (shape: Shape, before: string, after: string): Shape => {
  const room = new TextEncoder().encode(before + after).length
  return (size) => before + shape(size - room) + after
}
const each = (shapes: Shapes, change: (shape: Shape) => Shape): Shapes =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, change(shape)]))

/** An operation's possible bodies, by content type. */
const bodies = (
  name: string,
  content: unknown
): ReadonlyArray<Omit<Input, "ask"> & { readonly type: string }> => {
  const good = GOOD[name]
  if (good === undefined) throw new Error(`${name} takes a body, and nobody says what a good one is`)
  return Object.entries(isJson(content) ? content : {}).flatMap(([type, media]) => {
    const named = (kind: string, shapes: Shapes, as = type) => ({
      name: kind,
      shapes,
      size: BODY_BYTES,
      type: as
    })
    switch (type) {
      case "application/json": {
        const places = [...new Set(placesOf(at(media, "schema")).map((place) => place.join(".")))]
        if (places.length === 0) throw new Error(`${name} takes JSON, and its contract names no field`)
        return [
          named("JSON", JSONS),
          named("JSON that is none", TEXTS),
          ...places.map((place) => {
            const [before = "", after = ""] = JSON.stringify(withValue(good, place.split("."))).split(
              `"${MARK}"`
            )
            return named(
              `JSON with a hostile ${place}`,
              each(VALUES, (shape) => around(shape, before, after))
            )
          })
        ]
      }
      case "application/x-www-form-urlencoded": {
        const begin = `${new URLSearchParams(Object.fromEntries(Object.entries(good).map(([key, value]) => [key, `${value}`])))}&`
        return [
          named("form", FORMS),
          named(
            "form behind a good one",
            each(FORMS, (shape) => around(shape, begin, ""))
          )
        ]
      }
      case "multipart/form-data":
        return [named("multipart", MULTIPARTS, MULTIPART), named("multipart that is none", FORMS, MULTIPART)]
      case "text/plain":
        return [named("text", TEXTS), named("JSON as text", JSONS)]
      default:
        throw new Error(`${name} takes ${type}, which nobody makes hostile`)
    }
  })
}

const asText = (text: string) => encodeURIComponent(text.toWellFormed())

/** Paths of existing records, and of missing ones for deletions. */
const ID: Readonly<Record<string, string>> = { DELETE: "999999" }

const doorOf = (method: string, path: string, operation: unknown): Door => {
  const name = `${method} ${path}`
  const target = path.replace("{id}", ID[method] ?? "1")
  const plain = { method }
  const parameters = at(operation, "parameters")
  const inputs: Array<Input> = []
  for (const parameter of Array.isArray(parameters) ? parameters : []) {
    const field = `${at(parameter, "name")}`
    const common = { shapes: WORDS, size: HEAD_BYTES / 3 }
    switch (at(parameter, "in")) {
      case "path":
        inputs.push({
          ...common,
          name: `the path's ${field}`,
          ask: (text) => ({ target: path.replace(`{${field}}`, asText(text)), init: plain })
        })
        break
      case "query":
        inputs.push({
          ...common,
          name: `the parameter ${field}`,
          ask: (text) => ({ target: `${target}?${field}=${asText(text)}`, init: plain })
        })
        break
      case "header":
        inputs.push(headerInput(target, method, field))
        break
      default:
        throw new Error(`${name} takes ${JSON.stringify(parameter)}, which nobody makes hostile`)
    }
  }
  inputs.push({
    name: "the whole query",
    shapes: FORMS,
    size: HEAD_BYTES,
    ask: (text) => ({ target: `${target}?${text}`, init: plain })
  })
  for (const header of [...HEADERS, ...HEADERS_TOO]) inputs.push(headerInput(target, method, header))
  const content = at(operation, "requestBody", "content")
  if (content !== undefined)
    for (const { type, ...input } of bodies(name, content))
      inputs.push({ ...input, ask: (text) => ({ target, init: { method, ...bodyOf(type, text) } }) })
  return { name, inputs }
}

/** A few shapes are enough, because a header is only compared or searched for one word. */
const FEW = new Set([" ", "a", ",", ";", "=", "%41", '"', "a.", "eyJ", "key=a&", "a b ", "1,", "[", ":"])
const FEW_WORDS: Shapes = Object.fromEntries(
  Object.entries(WORDS).filter(([name]) =>
    [...FEW].some((unit) => name === `a run of ${JSON.stringify(unit)}`)
  )
)
const BEGINS: Readonly<Record<string, string>> = {
  authorization: "Bearer ",
  "content-type": "multipart/form-data; boundary=",
  cookie: "signalbox_session="
}
const headerInput = (target: string, method: string, header: string): Input => ({
  name: `the header ${header}`,
  shapes: FEW_WORDS,
  size: HEAD_BYTES,
  ask: (text) => {
    const headers = { [header]: `${BEGINS[header] ?? ""}${text}x` }
    return {
      target,
      init: method === "POST" || method === "PUT" ? { method, headers, body: "{}" } : { method, headers }
    }
  }
})

const METHODS = ["get", "put", "post", "delete", "patch", "head", "options", "trace"]

/** All operations of the contract, and the paths beside it. */
export const DOORS: ReadonlyArray<Door> = [
  ...Object.entries(at(document, "paths") ?? {}).flatMap(([path, methods]) =>
    METHODS.filter((method) => at(methods, method) !== undefined).map((method) =>
      doorOf(method.toUpperCase(), path, at(methods, method))
    )
  ),
  ...PAGES.map((path) => doorOf("GET", path, {}))
]

/** Sample bodies whose operation is gone. */
export const UNUSED = Object.keys(GOOD).filter((name) => !DOORS.some((door) => door.name === name))
