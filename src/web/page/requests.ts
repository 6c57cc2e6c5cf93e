// The typed client of the contract over any `fetch`. It waits when the server says so (429), and throws every other
// error as a `Problem`.
import { Problem } from "./Problem.ts"
import type { Answer, EndpointName, GroupName, Request } from "./wire.ts"

/** The most time that one request waits for the rate limit. */
const MOST_WAIT_MS = 30_000

/** Replaces the server's text, which speaks of tokens. */
const ENDED = "The session ended before this was done. Please try again."

export interface World {
  readonly routes: Readonly<Record<string, readonly [method: string, path: string]>>
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly sleep: (ms: number) => Promise<void>
  /** Called when the session has ended. */
  readonly signedOut: () => void
}

/** The parts of any request. */
export interface Loose {
  readonly path?: object
  readonly urlParams?: object
  readonly payload?: unknown
  /** A raw body in place of a payload. */
  readonly text?: string
  readonly headers?: object
  readonly signal?: AbortSignal
}

/** A response and the position of the next page. */
export interface Paged<Body> {
  readonly body: Body
  /** The cursor of the next page; undefined on the last. */
  readonly next: string | undefined
}

/** The operations of the contract over `world`. */
export const make = (world: World) => {
  /** Sends a request, waiting for the rate limit if needed; throws a `Problem`. */
  const send = async (method: string, url: string, request: Loose = {}): Promise<Response> => {
    for (let waited = 0; ; ) {
      const response = await world.fetch(url, initOf(method, request)).catch((fault: unknown) => {
        throw isAbort(fault) ? fault : Problem.unreachable()
      })
      if (response.ok) return response
      const wait = waitOf(response)
      if (wait === undefined || waited + wait > MOST_WAIT_MS) {
        const problem = await Problem.read(response)
        if (problem.status !== 401) throw problem
        world.signedOut()
        throw new Problem(problem.status, problem.code, ENDED, problem.errors)
      }
      waited += wait
      await world.sleep(wait)
    }
  }

  const paged = async <Group extends GroupName, Name extends EndpointName<Group>>(
    group: Group,
    name: Name,
    request: Request<Group, Name>
  ): Promise<Paged<Answer<Group, Name>>> => {
    const [method, path] = world.routes[`${group}.${name}`] ?? ["GET", "/"]
    const loose: Loose = request
    const response = await send(method, urlOf(path, loose), loose)
    const isJson = response.headers.get("content-type")?.includes("json") === true
    const body: Answer<Group, Name> = isJson ? JSON.parse(await response.text()) : undefined
    return { body, next: nextOf(response.headers.get("link")) }
  }

  /** Calls an operation: `call("signals", "create", { payload })`. */
  const call = async <Group extends GroupName, Name extends EndpointName<Group>>(
    group: Group,
    name: Name,
    ...[request]: Record<string, never> extends Request<Group, Name>
      ? [request?: Request<Group, Name>]
      : [request: Request<Group, Name>]
  ): Promise<Answer<Group, Name>> => {
    const { body } = await paged<Group, Name>(group, name, request ?? nothing())
    return body
  }

  return { send, call, paged }
}

// An empty request. The compiler cannot see here that every part is optional.
const nothing = () => JSON.parse("{}")

/** The URL of an operation, with path and query filled in. */
export const urlOf = (path: string, { path: params = {}, urlParams = {} }: Loose): string => {
  const values = new Map(Object.entries(params).map(([key, value]) => [key, String(value)]))
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values.get(key) ?? ""))
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(urlParams)) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) query.append(key, String(one))
  }
  const text = query.toString()
  return text === "" ? filled : `${filled}?${text}`
}

const initOf = (method: string, { headers = {}, payload, signal, text }: Loose): RequestInit => ({
  method,
  credentials: "same-origin",
  cache: "no-store",
  headers: {
    accept: "application/json",
    ...(payload === undefined ? {} : { "content-type": "application/json" }),
    ...Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]))
  },
  ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
  ...(text === undefined ? {} : { body: text }),
  ...(signal === undefined ? {} : { signal })
})

/** How long to wait before sending again, if that can help. */
const waitOf = (response: Response): number | undefined => {
  if (response.status !== 429) return undefined
  const seconds = Number(response.headers.get("retry-after") ?? "")
  return Number.isFinite(seconds) ? Math.max(seconds, 1) * 1000 : 1000
}

const nextOf = (link: string | null): string | undefined => {
  const [, address] = /<([^>]*)>;\s*rel="next"/.exec(link ?? "") ?? []
  return address === undefined
    ? undefined
    : (new URLSearchParams(address.replace(/^[^?]*/, "")).get("cursor") ?? undefined)
}

const isAbort = (fault: unknown): boolean => fault instanceof Error && fault.name === "AbortError"
