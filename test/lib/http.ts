// HTTP tests as tables: each row is a request with what its response must and must not hold.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type * as Edge from "../../src/http/edge/Edge.ts"
import type { Rates } from "../../src/services/RateLimits.ts"
import { undeclared } from "./declared.ts"
import { NO_LIMITS, start, type TestServer } from "./server.ts"

/**
 * One request. `as` is the token's owner (also `hook` and `none`); a header of null must be absent; `json` must be
 * part of the response; `not` must not appear in its text.
 */
export interface Row {
  readonly send: string
  readonly as?: "ann" | "bob" | "hook" | "none"
  readonly headers?: Record<string, string>
  readonly body?: string | URLSearchParams | FormData | Uint8Array<ArrayBuffer> | object
  readonly status: number
  readonly json?: object
  readonly is?: unknown
  readonly text?: string
  /** The response's JSON has exactly these keys. */
  readonly keys?: ReadonlyArray<string>
  readonly gives?: Record<string, string | RegExp | null>
  readonly not?: ReadonlyArray<string>
}

/** Sends the rows in order to a server of their own; `{key}` in an address is the alert token. */
export const scenario = (
  name: string,
  rows: ReadonlyArray<Row>,
  rates: Rates = NO_LIMITS,
  options: Edge.Options = {}
): void =>
  describe(name, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await start(rates, options)
    })
    afterAll(() => server.stop())
    for (const [index, row] of rows.entries()) {
      test(`${index + 1}. ${row.as ?? "ann"}: ${row.send} -> ${row.status}`, () => check(server, row, index))
    }
  })

const check = async (server: TestServer, row: Row, index: number): Promise<void> => {
  // Each row comes from a network of its own, because failed authentications are limited by network.
  const response = await server.fetch(...request(server, row), `203.0.${index >> 8}.${index & 255}`)
  const text = await response.text()
  expect({ status: response.status, text }).toEqual({ status: row.status, text })
  common(response, text, row.gives?.["cache-control"])
  const [method = "GET", path = "/"] = row.send.split(/[ ?]/)
  if (response.status >= 400 && text !== "")
    expect(undeclared(method, path, JSON.parse(text))).toBeUndefined()
  if (row.json !== undefined) expect(JSON.parse(text)).toMatchObject(row.json)
  if (row.is !== undefined) expect(JSON.parse(text)).toEqual(row.is)
  if (row.keys !== undefined) expect(Object.keys(JSON.parse(text)).sort()).toEqual([...row.keys].sort())
  if (row.text !== undefined) expect(text).toBe(row.text)
  for (const [header, value] of Object.entries(row.gives ?? {})) {
    const found = response.headers.get(header)
    if (value instanceof RegExp) expect(found ?? "").toMatch(value)
    else expect(found).toBe(value)
  }
  for (const secret of [server.ann, server.bob, server.hook, ...(row.not ?? [])]) {
    expect(text).not.toContain(secret)
    expect(JSON.stringify([...response.headers])).not.toContain(secret)
  }
}

const request = (server: TestServer, row: Row): [string, RequestInit] => {
  const [method = "GET", path = "/"] = row.send.split(" ")
  const as = row.as ?? "ann"
  const headers = new Headers(as === "none" ? {} : { authorization: `Bearer ${server[as]}` })
  const { body } = row
  const isJson =
    typeof body === "object" &&
    !(body instanceof URLSearchParams || body instanceof FormData || body instanceof Uint8Array)
  if (isJson) headers.set("content-type", "application/json")
  for (const [name, value] of Object.entries(row.headers ?? {})) headers.set(name, value)
  const init: RequestInit = { method, headers }
  if (body !== undefined) init.body = isJson ? JSON.stringify(body) : body
  return [path.replace("{key}", server.hook).replace("{full}", server.ann), init]
}

/** What every response must fulfil; none is cached unless its row says so. */
const common = (response: Response, text: string, kept: string | RegExp | null = "no-store"): void => {
  const id = response.headers.get("x-request-id")
  expect(id).toMatch(/^[0-9a-z]+-[0-9a-z]+$/)
  expect(response.headers.get("x-content-type-options")).toBe("nosniff")
  expect(response.headers.get("referrer-policy")).toBe("no-referrer")
  expect(response.headers.get("cache-control")).toMatch(kept ?? "no-store")
  if (response.status < 400 || text === "") return
  expect(response.headers.get("content-type")).toBe("application/problem+json")
  const problem = JSON.parse(text)
  const keys = ["type", "title", "status", "detail", "code", "message", "errors", "request_id"]
  expect(Object.keys(problem)).toEqual(keys)
  expect(problem).toMatchObject({ status: response.status, request_id: id, message: problem.detail })
  expect(problem.type).toBe(`urn:signalbox:problem:${problem.code}`)
  expect(problem.code).toMatch(/^[a-z_]+$/)
  const texts = [problem.detail, ...Object.values<Array<string>>(problem.errors).flat()]
  for (const it of texts) expect(it.length).toBeLessThanOrEqual(200)
  if (response.status === 401) expect(response.headers.get("www-authenticate")).toBe("Bearer")
}
