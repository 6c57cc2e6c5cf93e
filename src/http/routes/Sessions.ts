// The routes of signing in to the dashboard and out of it. Signing in takes a token of full scope, or a one-time code
// from the terminal, and sets the session's cookie.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Api } from "../../api/Api.ts"
import { SessionView, Shown } from "../../api/Sessions.ts"
import { Done } from "../../api/shared/Paging.ts"
import { Caller } from "../../api/shared/Security.ts"
import type { Identity } from "../../domain/Account.ts"
import { textOfPosition } from "../../domain/Event.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import type { Fields } from "../../domain/requests/Form.ts"
import { Violations, violation } from "../../domain/requests/Violations.ts"
import { Accounts } from "../../services/Accounts.ts"
import { Events } from "../../services/Events.ts"
import { standingOf } from "../../services/internal/Operator.ts"
import * as SignIn from "../../services/internal/SignIn.ts"
import { SignInCodes } from "../../services/records/SignInCodes.ts"
import { Sessions } from "../../services/Sessions.ts"
import { Tickers } from "../../services/Tickers.ts"
import * as Cookie from "../access/Cookie.ts"
import { Gate, isSecure as overTls, sentOf, showsToken } from "../access/Gate.ts"
import { entered, shownBy } from "../access/Guard.ts"
import * as Origin from "../access/Origin.ts"
import { refuse } from "../Problems.ts"
import { Program } from "../Program.ts"
import { codeRefused, crossSite } from "../RequestRejected.ts"
import { jsonOnly } from "../request/RecordBody.ts"
import { CurrentRequest, type RequestFacts } from "../request/Request.ts"
import * as Answers from "../views/Answers.ts"
import { seconds } from "../views/Figures.ts"

const encode = lazily(() => Schema.encodeSync(Schema.parseJson(SessionView)))
const encodeShown = lazily(() => Schema.encodeSync(Schema.parseJson(Shown)))
const encodeDone = lazily(() => Schema.encodeSync(Schema.parseJson(Done)))

const NOBODY = { account: null } as const
const NOBODY_YET = { account: null, unclaimed: true } as const

const withCookie = (response: HttpServerResponse.HttpServerResponse, cookie: string) =>
  HttpServerResponse.setHeader(response, "set-cookie", cookie)

const isSecure = Effect.map(CurrentRequest, overTls)

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "sessions", (handlers) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const sessions = yield* Sessions
    const gate = yield* Gate
    const events = yield* Events
    const { describe } = yield* Tickers
    const { version } = yield* Program
    const stores = Context.make(Accounts, accounts).pipe(Context.add(SignInCodes, yield* SignInCodes))
    // Accounts are never deleted: what is true once stays so, and strangers cost no query.
    let isClaimed = false

    const viewOf = Effect.fnUntraced(function* ({ account, token }: Identity, expiresAt: number | null) {
      const { isOperator, name } = yield* Effect.provideService(standingOf(account), Accounts, accounts)
      return {
        account: name,
        token_id: token,
        operator: isOperator,
        expires_at: expiresAt,
        version,
        prices: describe,
        now: seconds(yield* Clock.currentTimeMillis),
        position: textOfPosition(yield* events.head)
      } satisfies SessionView
    })

    const byCode = Effect.fnUntraced(function* (facts: RequestFacts, code: string, account: unknown) {
      const name = typeof account === "string" ? account.trim() : undefined
      const found = Effect.provide(SignIn.enter(code, name), stores)
      return yield* gate.enterBy(facts, found, codeRefused)
    })

    /** The bearer of the token or the code in the body. */
    const proven = Effect.fnUntraced(function* (facts: RequestFacts, { account, code, token }: Fields) {
      if (typeof token === "string" && token.trim() !== "") return yield* gate.enter(facts, token.trim())
      if (typeof code === "string" && code.trim() !== "") return yield* byCode(facts, code, account)
      return yield* Violations.of([violation("token", "must be a token of scope full, as text")])
    })

    const begin = Effect.fn("http.Sessions.begin")(function* (request: HttpServerRequest.HttpServerRequest) {
      const facts = yield* CurrentRequest
      const shown = shownBy(request)
      if (!Origin.mayBeOwn(sentOf(shown), facts.origin())) return yield* crossSite
      const { fields } = yield* jsonOnly(request)
      const identity = yield* entered(facts, proven(facts, fields))
      // A second sign-in from the same browser ends its first session, whose secret is lost.
      const before = Cookie.read(shown.header("cookie"), overTls(facts))
      const left = before === undefined ? Option.none() : yield* sessions.use(before)
      if (Option.isSome(left)) yield* sessions.end(left.value.id)
      const { secret, session } = yield* sessions.begin(identity)
      const view = yield* viewOf(identity, session.expiresAt)
      return withCookie(Answers.json(encode(view), 200), Cookie.set(Redacted.value(secret), yield* isSecure))
    })

    const endOf = Effect.fnUntraced(function* ({ session, token }: Identity) {
      if (session !== undefined)
        return Option.getOrNull(Option.map(yield* sessions.get(session), ({ expiresAt }) => expiresAt))
      const own = (yield* accounts.tokens).find(({ id }) => id === token)
      return own === undefined ? null : Option.getOrNull(own.expiresAt)
    })

    const show = Effect.fn("http.Sessions.show")(function* (request: HttpServerRequest.HttpServerRequest) {
      const facts = yield* CurrentRequest
      const shown = shownBy(request)
      const found = yield* Effect.either(entered(facts, gate.enterWith(facts, shown)))
      if (Either.isRight(found)) {
        const view = yield* viewOf(found.right, yield* endOf(found.right))
        return Answers.json(encode(view), 200)
      }
      // A caller without credentials, or with an ended session, gets an answer without an account; a wrong token is
      // rejected.
      const isUnknown = found.left._tag === "RequestRejected" && found.left.kind[0] === 401
      if (!isUnknown || showsToken(shown)) return yield* found.left
      isClaimed ||= yield* Effect.provide(SignIn.isClaimed, stores)
      const shownToAll = isClaimed ? NOBODY : NOBODY_YET
      const nobody = Answers.json(encodeShown(shownToAll), 200)
      const isDead = Cookie.read(shown.header("cookie"), overTls(facts)) !== undefined
      return isDead ? withCookie(nobody, Cookie.clear(yield* isSecure)) : nobody
    })

    const end = Effect.gen(function* () {
      const { session } = yield* Caller
      if (session !== undefined) yield* sessions.end(session)
      const answer = Answers.json(encodeDone(Answers.done("you are signed out")), 200)
      return withCookie(answer, Cookie.clear(yield* isSecure))
    }).pipe(Effect.withSpan("http.Sessions.end"))

    return handlers
      .handleRaw("begin", ({ request }) => refuse(begin(request)))
      .handleRaw("show", ({ request }) => refuse(show(request)))
      .handleRaw("end", () => end)
  })
)
