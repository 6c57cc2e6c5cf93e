import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Api } from "../api/Api.ts"
import { Done } from "../api/Paging.ts"
import { Caller } from "../api/Security.ts"
import { SessionView } from "../api/Sessions.ts"
import type { Identity } from "../domain/Account.ts"
import { Violations, violation } from "../domain/Violations.ts"
import { Accounts } from "../services/Accounts.ts"
import { standingOf } from "../services/Operator.ts"
import { Sessions } from "../services/Sessions.ts"
import { Tickers } from "../services/Tickers.ts"
import * as Answers from "./Answers.ts"
import * as Cookie from "./Cookie.ts"
import { Gate, sentOf } from "./Gate.ts"
import { entered, shownBy } from "./Guard.ts"
import * as Origin from "./Origin.ts"
import { refuse } from "./Problems.ts"
import { Program } from "./Program.ts"
import { jsonOnly } from "./RecordBody.ts"
import { crossSite } from "./Refused.ts"
import { CurrentRequest } from "./Request.ts"

const encode = Schema.encodeSync(Schema.parseJson(SessionView))
const encodeDone = Schema.encodeSync(Schema.parseJson(Done))

const withCookie = (response: HttpServerResponse.HttpServerResponse, cookie: string) =>
  HttpServerResponse.setHeader(response, "set-cookie", cookie)

const isSecure = Effect.map(CurrentRequest, ({ origin }) => origin().startsWith("https:"))

/** Signing in to the dashboard and out of it, over the port. */
export const layer = HttpApiBuilder.group(Api, "sessions", (handlers) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const sessions = yield* Sessions
    const gate = yield* Gate
    const { describe } = yield* Tickers
    const { version } = yield* Program

    const viewOf = ({ account, token }: Identity, expiresAt: number | null) =>
      Effect.map(
        Effect.provideService(standingOf(account), Accounts, accounts),
        ({ isOperator, name }): SessionView => ({
          account: name,
          token_id: token,
          operator: isOperator,
          expires_at: expiresAt,
          version,
          prices: describe
        })
      )

    const begin = Effect.fn("http.Sessions.begin")(function* (request: HttpServerRequest.HttpServerRequest) {
      const facts = yield* CurrentRequest
      const shown = shownBy(request)
      if (!Origin.mayBeOwn(sentOf(shown), facts.origin())) return yield* crossSite
      const { fields } = yield* jsonOnly(request)
      const { token } = fields
      if (typeof token !== "string" || token.trim() === "")
        return yield* Violations.of([violation("token", "must be a token of scope full, as text")])
      const identity = yield* entered(facts, gate.enter(facts, token.trim()))
      // Who signs in anew in the same browser leaves no session behind that nobody can show any more.
      const before = Cookie.read(shown.header("cookie"))
      const left = before === undefined ? Option.none() : yield* sessions.use(before)
      if (Option.isSome(left)) yield* sessions.end(left.value.id)
      const { secret, session } = yield* sessions.begin(identity)
      const view = yield* viewOf(identity, session.expiresAt)
      return withCookie(Answers.json(encode(view), 200), Cookie.set(Redacted.value(secret), yield* isSecure))
    })

    const show = Effect.gen(function* () {
      const caller = yield* Caller
      const { session, token } = caller
      if (session !== undefined) {
        const found = yield* sessions.get(session)
        return yield* viewOf(caller, Option.getOrNull(Option.map(found, ({ expiresAt }) => expiresAt)))
      }
      const own = (yield* accounts.tokens).find(({ id }) => id === token)
      return yield* viewOf(caller, own === undefined ? null : Option.getOrNull(own.expiresAt))
    }).pipe(Effect.withSpan("http.Sessions.show"))

    const end = Effect.gen(function* () {
      const { session } = yield* Caller
      if (session !== undefined) yield* sessions.end(session)
      const answer = Answers.json(encodeDone(Answers.done("you are signed out")), 200)
      return withCookie(answer, Cookie.clear(yield* isSecure))
    }).pipe(Effect.withSpan("http.Sessions.end"))

    return handlers
      .handleRaw("begin", ({ request }) => refuse(begin(request)))
      .handle("show", () => show)
      .handleRaw("end", () => end)
  })
)
