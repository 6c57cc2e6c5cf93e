// The routes of a caller's own tokens. A token's secret appears in the first response alone, and never in a stored one.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Api } from "../../api/Api.ts"
import { Caller } from "../../api/shared/Security.ts"
import { NewToken } from "../../api/Tokens.ts"
import type { Token } from "../../domain/Account.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { Tokens } from "../../services/Tokens.ts"
import { refuse } from "../Problems.ts"
import { unauthorized } from "../RequestRejected.ts"
import * as IdempotentCreation from "../request/IdempotentCreation.ts"
import { jsonOnly } from "../request/RecordBody.ts"
import * as Answers from "../views/Answers.ts"
import * as RecordReads from "./RecordReads.ts"

const encode = lazily(() => Schema.encodeSync(Schema.parseJson(NewToken)))

const answerOf = ({ account, expiresAt, id, scope }: Token, secret: Redacted.Redacted | undefined) => ({
  status: 201,
  location: `/v1/tokens/${id}`,
  body: encode({
    id,
    token: secret === undefined ? null : Redacted.value(secret),
    account,
    scope,
    expires_at: Option.getOrNull(expiresAt)
  })
})

/** Confirms a revocation, and names valid tokens that were made with the revoked one. */
const revokedWords = (left: ReadonlyArray<Token>): string => {
  const ids = left.slice(0, SHOWN).map(({ id }) => id)
  const more = left.length > SHOWN ? ", ..." : ""
  return left.length === 0
    ? "the token is revoked"
    : `the token is revoked; tokens that were made with it are still valid: ${ids.join(", ")}${more}`
}

/** The most ids named in a response. */
const SHOWN = 10

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "tokens", (handlers) =>
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const list = RecordReads.ofTokens(tokens)
    const once = yield* IdempotentCreation.make

    const create = Effect.fn("http.Tokens.create")(function* ({
      headers,
      request
    }: IdempotentCreation.Creation) {
      const caller = yield* Caller
      const { account } = caller
      const { fields, text } = yield* jsonOnly(request)
      // The response stored under a key has no secret: the secret is in this response alone.
      let made: { readonly token: Token; readonly secret: Redacted.Redacted } | undefined
      const create = tokens.create(caller, fields).pipe(
        Effect.map((created) => {
          made = created
          return answerOf(created.token, undefined)
        }),
        // The caller's own token ended after it was admitted.
        Effect.catchTag("TokenNotFound", () => Effect.fail(unauthorized))
      )
      const stored = yield* once(account, headers["idempotency-key"], text, create)
      return made === undefined ? stored : Answers.replay(answerOf(made.token, made.secret))
    })

    return handlers
      .handle("list", () => list)
      .handleRaw("create", (creation) => refuse(create(creation)))
      .handle("revoke", ({ path }) =>
        refuse(
          Effect.flatMap(Caller, ({ account }) =>
            Effect.map(tokens.revoke(account, path.id), (left) => Answers.done(revokedWords(left)))
          )
        )
      )
  })
)
