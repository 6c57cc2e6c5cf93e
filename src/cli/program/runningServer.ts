// Requests to the running server, which alone knows the prices and the bots: with a token that is made for one command
// and revoked with it.
import * as Options from "@effect/cli/Options"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Accounts } from "../../services/Accounts.ts"
import * as Address from "../signal/Address.ts"
import { usage } from "./usage.ts"

/** The server did not do what it was called for: exit code 1. */
export class ServerRefused extends Data.TaggedError("ServerRefused")<{ readonly message: string }> {}

/** The option that names the server. */
export const server = Options.text("server").pipe(
  Options.optional,
  Options.withDescription(
    "address of the running server; by default this machine, at SIGNALBOX_HOST and SIGNALBOX_PORT"
  )
)

/** The address that `--server` names; this machine's server without it. */
export const addressOf = (named: Option.Option<string>) =>
  Option.match(named, {
    onNone: () => Address.own,
    onSome: (text) =>
      Option.match(Address.parse(text), {
        onNone: () => usage("--server takes an address, like http://127.0.0.1:8080"),
        onSome: Effect.succeed
      })
  })

/**
 * The token expires after this time even if the command dies before it revokes it. A response may take `PATIENCE_MS`.
 */
const TOKEN_SECONDS = 60
const PATIENCE_MS = 10_000

/** A request in JSON; a `body` that is absent sends none. */
export interface ServerRequest {
  readonly method: "GET" | "POST"
  /** The path with its query. */
  readonly path: string
  readonly body?: object
  /** How long the answer may take (ms), where it takes longer than most. */
  readonly patienceMs?: number
}

/** A response: its body, and the cursor of the list's next page where there is one. */
export interface ServerResponse {
  readonly text: string
  readonly next: string | undefined
}

/** Sends a request as the account of that name. Fails with the server's reason. */
export const ask = (base: string, account: string, request: ServerRequest) =>
  Effect.scoped(Effect.flatMap(passing(account), (token) => sent(base, token, request)))

/** Issues a token and revokes it when the scope closes. */
const passing = (account: string) =>
  Effect.flatMap(Accounts, (accounts) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          accounts.issue(account, "full", Option.some(Math.floor(now / 1000) + TOKEN_SECONDS))
        ),
        ({ token }) => Effect.ignore(accounts.revoke(token.id))
      ),
      ({ secret }) => Redacted.value(secret)
    )
  )

/** The most times that one request waits for its rate limit, and the longest wait in seconds. */
const WAITS = 5
const LONGEST_WAIT = 5

/** Sends a request; one over the rate limit did nothing, and is sent again once the server says so. */
const sent = (
  base: string,
  token: string,
  request: ServerRequest,
  waits = WAITS
): Effect.Effect<ServerResponse, ServerRefused> =>
  Effect.flatMap(once(base, token, request), ({ isDone, next, text, waitSeconds }) => {
    if (isDone) return Effect.succeed({ next, text })
    return waits > 0 && waitSeconds > 0 && waitSeconds <= LONGEST_WAIT
      ? Effect.delay(sent(base, token, request, waits - 1), Duration.seconds(waitSeconds))
      : Effect.flatMap(problemOf(text), (message) => new ServerRefused({ message }))
  })

const once = (base: string, token: string, { body, method, path, patienceMs = PATIENCE_MS }: ServerRequest) =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(patienceMs)
      })
      return {
        isDone: response.ok,
        text: await response.text(),
        next: nextOf(response.headers.get("link")),
        waitSeconds: response.status === 429 ? Number(response.headers.get("retry-after")) : 0
      }
    },
    catch: () =>
      new ServerRefused({
        message: `no server answers at ${base}: start it, or give its address with --server`
      })
  })

/** The document of a response; a server of another version may answer something else. */
export const decoded = <A, I>(schema: Schema.Schema<A, I>, { text }: ServerResponse) =>
  Effect.mapError(
    Schema.decodeUnknown(Schema.parseJson(schema))(text),
    () => new ServerRefused({ message: "the server's answer was not understood: it has another version" })
  )

/** The cursor in a header like `</v1/signals?cursor=MTI>; rel="next"`. */
const nextOf = (link: string | null): string | undefined => {
  const [, query] = /\?([^>]*)>;\s*rel="next"/.exec(link ?? "") ?? []
  return new URLSearchParams(query).get("cursor") ?? undefined
}

const decodeProblem = Schema.decodeUnknown(
  Schema.parseJson(
    Schema.Struct({
      message: Schema.String,
      errors: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }), {
        default: () => ({})
      })
    })
  )
)

const problemOf = (text: string) =>
  decodeProblem(text).pipe(
    Effect.map(({ errors, message }) => {
      const violations = Object.entries(errors).flatMap(([field, texts]) =>
        texts.map((it) => `${field} ${it}`)
      )
      return violations.length === 0 ? message : violations.join("; ")
    }),
    Effect.orElseSucceed(() => "the server refused it without a reason")
  )
