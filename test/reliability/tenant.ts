// The separation of accounts: every operation of the server's description, with every verb, at every kind of id.
import { join } from "node:path"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { inFolder } from "./Program.ts"
import type { Effort, Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"
import { type Reply, textOf } from "./Wire.ts"
import { type Cast, cast, PRIVATE, PUBLIC } from "./walls/Cast.ts"
import { type Person, told } from "./walls/Person.ts"
import { described, type Noun, type Operation } from "./walls/Routes.ts"
import { Rows } from "./walls/Rows.ts"

const VERBS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"]
const MISSING = 999_999
/** The mark of Ann's last event, and how long it may take to arrive. */
const LAST = "ANNLAST"
const HEARD_MS = 15_000

/** One way to name a record, in a path and in JSON. */
interface Kind {
  readonly name: string
  readonly path: string
  readonly value: unknown
  /** Whether the answer must be that of a missing record, also when the id is in a body. */
  readonly alike: boolean
}

const number = (name: string, id: number): Kind => ({ name, path: `${id}`, value: id, alike: true })
const odd = (name: string, path: string, value: unknown = path): Kind => ({
  name,
  path,
  value,
  alike: false
})

const kindsOf = ({ targets }: Cast, noun: Noun): ReadonlyArray<Kind> => [
  number("foreign private", targets[noun].foreignPrivate),
  number("foreign public", targets[noun].foreignPublic),
  ...(noun === "alert"
    ? [number("another foreign private", targets[noun].foreignDeleted)]
    : [number("foreign deleted", targets[noun].foreignDeleted), number("deleted", targets[noun].ownDeleted)]),
  odd("2^53", "9007199254740992", 2 ** 53),
  odd("2^53 - 1", "9007199254740991", 2 ** 53 - 1),
  odd("2^64", "18446744073709551616", 2 ** 64),
  odd("-1", "-1", -1),
  odd("1e3", "1e3"),
  odd("0", "0", 0),
  odd("NUL", "%00", "\0"),
  odd("very long", "9".repeat(4000)),
  odd("leading zero", `0${targets[noun].foreignPrivate}`),
  odd("escaped digit", `%3${targets[noun].foreignPrivate}`),
  odd("Arabic digit", "%D9%A1", "١"),
  odd("fraction", `${targets[noun].foreignPrivate}.0`, `${targets[noun].foreignPrivate}.0`),
  odd("two", `${targets[noun].foreignPrivate},1`),
  odd("SQL", "1%20OR%201=1", "1 OR 1=1"),
  odd("broken escape", "%zz"),
  odd("list", "[1]", [targets[noun].foreignPrivate]),
  odd("null", "null", null)
]

export const suite: Suite = (effort) =>
  inFolder(async (folder) => {
    const db = join(folder, "x.db")
    const stage = await cast(db)
    const rows = new Rows(db, "bob")
    try {
      return [...(await matrix(stage, rows)), await scopes(stage), await walk(stage, rows, effort)]
    } finally {
      rows.close()
      await stage.close()
    }
  })
export default suite

const matrix = async (stage: Cast, rows: Rows): Promise<ReadonlyArray<Row>> => {
  const coverage = new Tally()
  const tally = new Tally()
  const { operations, uncovered } = await described(stage.ann.line)
  for (const { method, path } of operations) coverage.check(true, () => `${method} ${path}`)
  for (const name of uncovered) coverage.check(false, () => `${name} is not in the matrix`)
  const before = rows.dump()
  const untouched = (what: string) => tally.check(rows.dump() === before, () => `${what}: bob's rows changed`)
  for (const operation of operations) await tried(stage, operation, tally, untouched)
  for (const path of new Set(operations.map((operation) => operation.path))) {
    await otherVerbs(stage, path, operations, tally, untouched)
  }
  await crossings(stage, tally)
  return [
    coverage.row(
      "tenant: operations of /openapi.json in the matrix",
      `${operations.length} of ${operations.length + uncovered.length}`
    ),
    tally.row("tenant: operation x id", `${VERBS.length} verbs, ${rows.count()} foreign rows untouched`)
  ]
}

/** Tries an operation with every kind of id: own ones work, and all others answer like a missing record. */
const tried = async (
  stage: Cast,
  operation: Operation,
  tally: Tally,
  untouched: (what: string) => void
): Promise<void> => {
  const { recipe } = operation
  const name = `${operation.method} ${operation.path}`
  const { names } = recipe
  if (names === undefined) {
    const reply = await send(stage.ann, operation, 0)
    tally.check(isGood(reply), () => `${name}: own: ${told(reply)}`)
    const hidden = recipe.showsPublic === true ? [PRIVATE] : [PRIVATE, PUBLIC]
    tally.check(!leaks(reply, hidden), () => `${name}: shows what is bob's: ${told(reply)}`)
    return untouched(name)
  }
  const own = await fresh(stage, names.noun)
  const good = await send(stage.ann, operation, own)
  const isOwn = recipe.unlisted === true ? isRefused : isGood
  const isFine = recipe.turnsDown === true ? isTurnedDown(good) : isOwn(good)
  tally.check(isFine, () => `${name}: own: ${told(good)}`)
  const missing = await send(stage.ann, operation, MISSING)
  tally.check(isRefused(missing), () => `${name}: missing: ${told(missing)}`)
  for (const kind of kindsOf(stage, names.noun)) {
    const reply = await send(stage.ann, operation, names.at === "path" ? kind.path : kind.value)
    const isPublic = kind.name === "foreign public" && recipe.publicToo === true
    const what = `${name}: ${kind.name}`
    // A strategy may have no signal, so null is not an id here.
    const isNone = kind.value === null && names.at === "body" && operation.path === "/v1/strategies"
    if (isPublic || isNone) tally.check(isGood(reply), () => `${what}: ${told(reply)}`)
    else if (names.at === "path" || kind.alike)
      tally.check(told(reply) === told(missing), () => `${what}: ${told(reply)} and not ${told(missing)}`)
    else tally.check(isRefused(reply), () => `${what}: ${told(reply)}`)
    tally.check(!leaks(reply, isPublic ? [PRIVATE] : [PRIVATE, PUBLIC]), () => `${what}: ${told(reply)}`)
    untouched(what)
  }
}

/** Checks that verbs a path lacks are refused alike at every id, and that HEAD is GET without its body. */
const otherVerbs = async (
  stage: Cast,
  path: string,
  operations: ReadonlyArray<Operation>,
  tally: Tally,
  untouched: (what: string) => void
): Promise<void> => {
  const here = operations.filter((operation) => operation.path === path)
  const declared = new Set(here.map(({ method }) => method))
  const noun = here.find(({ recipe }) => recipe.names?.at === "path")?.recipe.names?.noun
  const kinds =
    noun === undefined
      ? []
      : [...kindsOf(stage, noun), { ...number("own", await fresh(stage, noun)), alike: false }]
  for (const method of VERBS.filter((verb) => !declared.has(verb))) {
    const at = (id: string) => stage.ann.ask(method, path.replace("{id}", id))
    const missing = await at(`${MISSING}`)
    const status = method === "OPTIONS" ? 204 : method === "HEAD" && declared.has("GET") ? undefined : 405
    tally.check(
      status === undefined ? (missing?.status ?? 500) < 500 : missing?.status === status,
      () => `${method} ${path}: ${told(missing)}`
    )
    for (const kind of kinds) {
      const reply = await at(kind.path)
      const readable = status === undefined && (kind.name === "own" || kind.name === "foreign public")
      tally.check(
        readable ? (reply?.status ?? 500) < 500 : told(reply) === told(missing),
        () => `${method} ${path}: ${kind.name}: ${told(reply)} and not ${told(missing)}`
      )
      tally.check(
        reply?.body.length === 0 || !leaks(reply, [PRIVATE, PUBLIC]),
        () => `${method} ${path}: ${told(reply)}`
      )
    }
    untouched(`${method} ${path}`)
  }
}

/** Tries leaks without an id: the same Idempotency-Key, a cursor, a public signal's followers. */
const crossings = async (stage: Cast, tally: Tally): Promise<void> => {
  const { ann, bob, targets } = stage
  const once = async (who: Person) => {
    const made = { name: "Same", description: "", active: true, public: false }
    const headers = {
      authorization: `Bearer ${who.token}`,
      "content-type": "application/json",
      "idempotency-key": "shared-by-both"
    }
    return who.line.ask({ method: "POST", target: "/v1/signals", headers, body: JSON.stringify(made) })
  }
  const [first, second] = [await once(ann), await once(ann)]
  tally.check(
    first?.status === 201 && told(first) === told(second),
    () => `an own key again: ${told(second)}`
  )
  const his = await once(bob)
  tally.check(
    his?.status === 201 && his.headers.get("location") !== first?.headers.get("location"),
    () => `another's key: ${told(his)}`
  )
  for (const path of ["/v1/signals", "/v1/strategies", "/v1/alerts"]) {
    for (const id of [1, targets.signal.foreignPrivate, targets.alert.foreignPrivate, 500]) {
      const cursor = Buffer.from(`${id}`).toString("base64url")
      const reply = await ann.ask("GET", `${path}?limit=500&cursor=${cursor}`)
      tally.check(
        isGood(reply) && !leaks(reply, [PRIVATE, PUBLIC]),
        () => `${path} after ${id}: ${told(reply)}`
      )
    }
  }
  await tokens(stage, tally)
  await followers(stage, tally)
  await streams(stage, tally)
}

/** Checks that Ann neither sees nor ends Bob's tokens and sessions. */
const tokens = async ({ ann, bob }: Cast, tally: Tally): Promise<void> => {
  const listed = await bob.ask("GET", "/v1/tokens")
  const his: { readonly data: ReadonlyArray<{ readonly id: number }> } = JSON.parse(
    listed === undefined ? "{}" : textOf(listed)
  )
  const hers = await ann.ask("GET", "/v1/tokens")
  tally.check(his.data.length > 0 && isGood(hers), () => `tokens: ${told(listed)}, ${told(hers)}`)
  const missing = await ann.ask("DELETE", `/v1/tokens/${MISSING}`)
  for (const { id } of his.data) {
    tally.check(!told(hers).includes(`"id":${id},`), () => `bob's token ${id} is shown: ${told(hers)}`)
    const reply = await ann.ask("DELETE", `/v1/tokens/${id}`)
    tally.check(
      reply?.status === 404 && missing?.status === 404,
      () => `bob's token ${id}, by ann: ${told(reply)}`
    )
  }
  tally.check(isGood(await bob.ask("GET", "/v1/tokens")), () => "bob's token is refused")
  for (const [method, path] of [
    ["PUT", "/v1/dashboard/exchange"],
    ["PUT", "/v1/dashboard/market"],
    ["GET", "/v1/dashboard/markets/refreshes"],
    ["POST", "/v1/dashboard/markets/refreshes"],
    ["POST", "/v1/dashboard/backup"]
  ] as const) {
    const reply = await bob.ask(method, path, {})
    tally.check(reply?.status === 403, () => `${method} ${path} by no operator: ${told(reply)}`)
  }
}

/** Reads all of Ann's events up to one that is later than all of Bob's: none is his. */
const streams = async ({ ann, bob, server }: Cast, tally: Tally): Promise<void> => {
  const signal_id = await ann.make("signal", {})
  await ann.make("strategy", { name: LAST, signal_id })
  await ann.make("alert", { signal_id, coin: "NONE" })
  const his = await heard(server.port, bob, PRIVATE)
  tally.check(his.includes(PRIVATE), () => `bob's stream of events: ${his}`)
  const hers = await heard(server.port, ann, LAST)
  tally.check(!hers.includes(PRIVATE) && hers.includes(LAST), () => `ann's stream of events: ${hers}`)
}

/** Reads an account's events from the first on until a word comes or the time is up; returns the text. */
const heard = async (port: number, { token }: Person, word: string): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/events?last_event_id=0-0`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(HEARD_MS)
    })
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.includes(word)) break
    }
  } catch {
    // The stream does not end by itself. The caller sees that the word is missing.
  }
  return text
}

/** Bob follows a public signal of Ann's: only he sees what his bot does with her alerts. */
const followers = async ({ ann, bob }: Cast, tally: Tally): Promise<void> => {
  const signal_id = await ann.make("signal", { public: true })
  const his = await bob.make("strategy", { signal_id })
  const hers = await ann.make("strategy", { signal_id })
  const id = await ann.make("alert", { signal_id, coin: "NONE" })
  const decided = async () => {
    const reply = await ann.ask("GET", `/v1/alerts/${id}`)
    return reply === undefined ? "" : textOf(reply)
  }
  let text = await decided()
  for (let tries = 0; tries < 100 && !text.includes("pair_not_listed"); tries++) {
    await Bun.sleep(20)
    text = await decided()
  }
  tally.check(
    text.includes(`"strategy_id":${hers},`) && !text.includes(`"strategy_id":${his},`),
    () => `outcomes of another's strategy: ${text}`
  )
  const theirs = await bob.ask("GET", `/v1/alerts/${id}`)
  tally.check(theirs?.status === 404, () => `an alert to a signal that one follows: ${told(theirs)}`)
  // Deleting her signal would detach his strategy, as it should.
  await bob.ask("DELETE", `/v1/strategies/${his}`)
}

/** Checks that a token for alerts reaches only the two alert operations, and that a missing token reaches nothing. */
const scopes = async (stage: Cast): Promise<Row> => {
  const tally = new Tally()
  const { operations } = await described(stage.ann.line)
  for (const operation of operations) {
    const { method, path, recipe } = operation
    const own = recipe.names === undefined ? 0 : await fresh(stage, recipe.names.noun)
    for (const id of [own, MISSING, "1e3", "%00"]) {
      const reply = await send(stage.hook, operation, id)
      const holds = recipe.alerts === true ? id !== own || reply?.status === 200 : reply?.status === 403
      tally.check(holds, () => `${method} ${path} by a token for alerts: ${told(reply)}`)
      const stranger = await stage.hook.line.ask({ method, target: path.replace("{id}", `${id}`) })
      tally.check(stranger?.status === 401, () => `${method} ${path} by nobody: ${told(stranger)}`)
    }
    const key = recipe.keyed === true ? undefined : `?key=${stage.ann.token}`
    if (key === undefined) continue
    const reply = await stage.ann.line.ask({ method, target: `${path.replace("{id}", `${own}`)}${key}` })
    tally.check(reply?.status === 401, () => `${method} ${path} by a key in the address: ${told(reply)}`)
  }
  return tally.row("tenant: scopes", "401 and 403 elsewhere")
}

/** Ann sends random requests to all ids: nothing of Bob's is shown or changed. */
const walk = async (stage: Cast, rows: Rows, { short }: Effort): Promise<Row> => {
  const tally = new Tally()
  const random = new SeededRandom(short ? 1 : 2)
  const { operations } = await described(stage.ann.line)
  const before = rows.dump()
  const readable = new Set(
    [
      ...["signals", "public/signals", "dashboard/signals"],
      ...["strategies", "public/strategies", "dashboard/strategies"]
    ].map(
      (plural) =>
        `/v1/${plural}/${stage.targets[plural.endsWith("signals") ? "signal" : "strategy"].foreignPublic}`
    )
  )
  const times = short ? 1000 : 20_000
  for (let step = 0; step < times; step++) {
    const operation = random.pick(operations)
    const id = random.below(random.chance(0.9) ? 60 : 3000)
    const reply = await send(stage.ann, operation, id)
    const isShown = operation.method === "GET" && readable.has(operation.path.replace("{id}", `${id}`))
    const hidden = isShown || operation.recipe.showsPublic === true ? [PRIVATE] : [PRIVATE, PUBLIC]
    tally.check(
      (reply?.status ?? 500) < 500 && !leaks(reply, hidden),
      () => `step ${step}: ${operation.method} ${operation.path} at ${id}: ${told(reply)}`
    )
    if (step % 100 === 99)
      tally.check(rows.dump() === before, () => `by step ${step}: ${rows.changed(before)}`)
  }
  return tally.row("tenant: random walk", "0 leaks")
}

const send = (who: Person, { method, path, recipe }: Operation, id: unknown): Promise<Reply | undefined> => {
  const target = path.replace("{id}", String(id)) + (recipe.query ?? "")
  const body = recipe.body?.(id)
  return who.ask(method, recipe.keyed === true ? `${target}?key=${who.token}` : target, body)
}

/** A record of Ann's, created for this trial. */
const fresh = async ({ ann, connect }: Cast, noun: Noun): Promise<number> => {
  if (noun === "exchange_account") return connect("ann")
  return noun === "alert" ? ann.make(noun, { signal_id: await ann.make("signal", {}) }) : ann.make(noun, {})
}

const isGood = (reply: Reply | undefined): boolean => reply?.status === 200 || reply?.status === 201
const isTurnedDown = (reply: Reply | undefined): boolean => reply?.status === 409 || reply?.status === 422
const isRefused = (reply: Reply | undefined): boolean =>
  reply !== undefined && reply.status >= 400 && reply.status < 500

const leaks = (reply: Reply | undefined, hidden: ReadonlyArray<string>): boolean =>
  reply !== undefined &&
  hidden.some((text) => textOf(reply).includes(text) || [...reply.headers.values()].join().includes(text))
