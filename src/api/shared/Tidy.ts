// Corrects the generated OpenAPI document: it adds response headers and the session cookie, and puts our problem
// document in the place of the generator's own 400.

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const mapObject = (object: unknown, f: (value: unknown, key: string) => unknown): Json =>
  isObject(object)
    ? Object.fromEntries(Object.entries(object).map(([key, value]) => [key, f(value, key)]))
    : {}

const mapObjects = (object: unknown, f: (value: Json, key: string) => Json): Json =>
  mapObject(object, (value, key) => (isObject(value) ? f(value, key) : value))

/** The corrected document. */
export const tidy = (spec: Json): Json => {
  const { components, paths, ...rest } = spec
  const parts = isObject(components) ? components : {}
  const schemas = mapObject(parts["schemas"], (schema, name) =>
    GENERATED.has(name) ? undefined : plain(schema)
  )
  return {
    ...rest,
    paths: mapObjects(paths, (path) => mapObjects(path, operation)),
    components: {
      ...parts,
      schemas: JSON.parse(JSON.stringify(schemas)),
      headers: HEADERS,
      securitySchemes: { ...mapObject(parts["securitySchemes"], (scheme) => scheme), session: SESSION }
    }
  }
}

/** Components of the generator's own 400. */
const GENERATED: ReadonlySet<string> = new Set(["HttpApiDecodeError", "Issue", "PropertyKey"])

const HEADERS = {
  Location: { description: "address of the record", schema: { type: "string", format: "uri-reference" } },
  Link: { description: 'where the next page is, with rel="next"', schema: { type: "string" } },
  RequestId: { description: "names the request in the server's log", schema: { type: "string" } },
  RateLimit: { description: "what is left, and when it is full again", schema: { type: "string" } },
  RateLimitPolicy: { description: "the limit: q requests in w seconds", schema: { type: "string" } },
  RetryAfter: { description: "seconds to wait", schema: { type: "integer", minimum: 1 } }
}
const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` })

/** The session cookie, which every operation with a bearer token accepts too. */
const SESSION = {
  type: "apiKey",
  in: "cookie",
  name: "signalbox_session",
  description:
    "A session of the dashboard; over TLS the cookie's name is `__Host-signalbox_session`. Operations that change something take it only with an `Origin` that is the server's own."
}

const securityOf = ({ security }: Json): Json =>
  Array.isArray(security) && security.some((it) => isObject(it) && "bearer" in it)
    ? { security: [...security, { session: [] }] }
    : {}

const operation = (found: Json): Json => ({
  ...found,
  ...securityOf(found),
  ...(isObject(found["requestBody"]) ? { requestBody: plain(found["requestBody"]) } : {}),
  responses: Object.fromEntries(
    Object.entries(mapObjects(found["responses"], (response) => response)).flatMap(([status, response]) =>
      isObject(response) ? answered(status, response, found) : []
    )
  )
})

const answered = (status: string, response: Json, { operationId, parameters }: Json) => {
  const isOwn = !JSON.stringify(response).includes("HttpApiDecodeError")
  const reads = JSON.stringify(response).includes("BadRequest")
  if (!isOwn && !reads) return []
  const headers = {
    "x-request-id": header("RequestId"),
    ...(status === "429" || status === "503" ? { "Retry-After": header("RetryAfter") } : {}),
    ...(/^2|429/.test(status)
      ? { RateLimit: header("RateLimit"), "RateLimit-Policy": header("RateLimitPolicy") }
      : {}),
    ...(status === "201" || (status === "200" && RECEIVES.test(String(operationId)))
      ? { Location: header("Location") }
      : {}),
    ...(status === "200" && JSON.stringify(parameters).includes('"cursor"') ? { Link: header("Link") } : {})
  }
  return [[status, { ...(isOwn ? Object(plain(response)) : UNREADABLE), headers }]]
}

const RECEIVES = /^signals\.(charting|alert)$/

const UNREADABLE = {
  description: "The body cannot be read.",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/BadRequest" } } }
}

/** Removes the names of our filters, and wrappers around a reference that only repeat its description. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (!isObject(value)) return value
  const { allOf } = value
  if (Array.isArray(allOf) && allOf.length === 1 && isObject(allOf[0]) && "$ref" in allOf[0]) return allOf[0]
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      key === "title" && typeof inner === "string" && FILTERS.test(inner) ? [] : [[key, plain(inner)]]
    )
  )
}

const FILTERS = /^[a-z]/
