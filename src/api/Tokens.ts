// The contract of tokens. A secret is shown once, in the answer that creates it, and never stored.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Scope, type Token, TokenId } from "../domain/Account.ts"
import { MAX_EXPIRES_DAYS } from "../domain/requests/TokenRequest.ts"
import { Done, IdempotencyKey, pathOf } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"

const TOKENS_PATH = "/v1/tokens"

const time = (description: string) =>
  Schema.NullOr(Schema.Int).annotations({ description: `${description}, seconds since the Unix epoch` })

const scope = Scope.annotations({
  description:
    "`full` does everything; `alerts` reaches only the two alert operations, and goes into webhooks"
})
const expiresAt = time("from when on it is refused; null where it never is")

/** A token as its owner reads it, without the secret. */
export const TokenView = Schema.Struct({
  id: TokenId.annotations({ description: "identifier" }),
  scope,
  created_at: Schema.Int.annotations({ description: "when it was made, seconds since the Unix epoch" }),
  expires_at: expiresAt,
  last_used_at: time("when it was used last, to the minute; null where it never was"),
  made_by: Schema.NullOr(TokenId).annotations({
    description:
      "the token that it was made with; null where the command line made it, or a version that did not note it"
  })
}).annotations({ identifier: "Token", description: "A token, without its secret." })
export type TokenView = typeof TokenView.Type

export const tokenView = ({ createdAt, expiresAt, id, lastUsedAt, madeBy, scope }: Token): TokenView => ({
  id,
  scope,
  created_at: createdAt,
  expires_at: Option.getOrNull(expiresAt),
  last_used_at: Option.getOrNull(lastUsedAt),
  made_by: Option.getOrNull(madeBy)
})

export const TokenList = Schema.Struct({ data: Schema.Array(TokenView) }).annotations({
  identifier: "TokenList",
  description: "Tokens, in order of their making."
})

/** A new token, with its secret. */
export const NewToken = Schema.Struct({
  id: TokenId.annotations({ description: "identifier" }),
  token: Schema.NullOr(Schema.String).annotations({
    description:
      "the secret, shown only now and stored nowhere; null where the answer is one that was given before"
  }),
  account: Schema.String.annotations({ description: "the account's name" }),
  scope,
  expires_at: expiresAt
}).annotations({
  ...HttpApiSchema.annotations({ status: 201 }),
  identifier: "NewToken",
  description: "A token as it is shown once."
})
export type NewToken = typeof NewToken.Type

const Draft = Schema.Struct({
  scope,
  expires_days: Schema.optional(
    Schema.NullOr(Schema.Int.pipe(Schema.between(1, MAX_EXPIRES_DAYS)))
  ).annotations({
    description:
      "after how many days it is refused; until it is revoked where left out. In any case it ends no later than the token that it is made with"
  })
}).annotations({ identifier: "TokenDraft" })

const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export const Tokens = HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.get("list", TOKENS_PATH)
      .addSuccess(TokenList)
      .annotateContext(
        words("List tokens", "Those of your account that are not revoked, without their secrets.")
      )
  )
  .add(
    HttpApiEndpoint.post("create", TOKENS_PATH)
      .setHeaders(IdempotencyKey)
      .setPayload(Draft)
      .addSuccess(NewToken)
      .addError(Problems.ofJsonBody("idempotency_key_reused", "too_many_tokens"))
      .annotateContext(
        words(
          "Create a token",
          "JSON. A token ends no later than the one that it is made with, or that the session began with. The answer shows the secret this once. Under an `Idempotency-Key` the token is made once, and its secret is not stored for that: whoever asks again learns its `id`, and `token` is null. Revoke it then, and make another."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("revoke", `${TOKENS_PATH}/:id`)
      .setPath(pathOf("TokenId"))
      .addSuccess(Done)
      .addError(Problems.NotFound)
      .annotateContext(
        words(
          "Revoke a token",
          "It is refused from now on, sessions that began with it end, yours too, and so do streams of events within 5 s. Tokens that were made with it stay valid: `message` names them."
        )
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "tokens" }))
  .annotateContext(OpenApi.annotations({ title: "Tokens", description: "Tokens that identify callers." }))
