// The contract's two ways to identify a caller: a bearer token, or a webhook key in the URL. Every group of endpoints
// names the scope and rate-limit bucket that it requires.
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { Identity, Scope } from "../../domain/Account.ts"
import * as Problems from "./Problems.ts"

/** The account and token of the request. */
export class Caller extends Context.Tag("signalbox/api/Caller")<Caller, Identity>() {}

/** The least scope that a group requires, and the bucket that its requests are taken from. */
export class Access extends Context.Tag("signalbox/api/Access")<
  Access,
  {
    readonly scope: Scope
    readonly bucket:
      | "signals"
      | "strategies"
      | "notifications"
      | "tokens"
      | "charting"
      | "alert"
      | "reads"
      | "dashboard"
  }
>() {}
export type AccessRule = Context.Tag.Service<typeof Access>

/** Why a caller is not let in. */
export const Refusal = Schema.Union(Problems.Unauthorized, Problems.Forbidden, Problems.TooMany)

/** A token in the header `Authorization: Bearer …`. */
export class Bearer extends HttpApiMiddleware.Tag<Bearer>()("signalbox/api/Bearer", {
  provides: Caller,
  failure: Refusal,
  security: {
    bearer: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotate(OpenApi.Description, "A token made by `signalbox token create`.")
    )
  }
}) {}

/** A token in the URL, because charting platforms cannot send headers. */
export class WebhookKey extends HttpApiMiddleware.Tag<WebhookKey>()("signalbox/api/WebhookKey", {
  provides: Caller,
  failure: Refusal,
  security: {
    key: HttpApiSecurity.apiKey({ in: "query", key: "key" }).pipe(
      HttpApiSecurity.annotate(
        OpenApi.Description,
        "A token made by `signalbox token create --scope alerts`, in the address of the webhook."
      )
    )
  }
}) {}
