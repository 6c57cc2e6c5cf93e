import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { Identity, Scope } from "../../domain/Account.ts"
import * as Problems from "./Problems.ts"

/** The bearer of the request's token. */
export class Caller extends Context.Tag("signalbox/api/Caller")<Caller, Identity>() {}

/** What a group of endpoints asks of its caller: the least scope, and the bucket that a request is taken from. */
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

const failure = Schema.Union(Problems.Unauthorized, Problems.Forbidden, Problems.TooMany)

/** A token in the header `Authorization: Bearer …`. */
export class Bearer extends HttpApiMiddleware.Tag<Bearer>()("signalbox/api/Bearer", {
  provides: Caller,
  failure,
  security: {
    bearer: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotate(OpenApi.Description, "A token made by `signalbox token create`.")
    )
  }
}) {}

/** A token in the address, since charting platforms send no headers of ours. */
export class WebhookKey extends HttpApiMiddleware.Tag<WebhookKey>()("signalbox/api/WebhookKey", {
  provides: Caller,
  failure,
  security: {
    key: HttpApiSecurity.apiKey({ in: "query", key: "key" }).pipe(
      HttpApiSecurity.annotate(
        OpenApi.Description,
        "A token made by `signalbox token create --scope alerts`, in the address of the webhook."
      )
    )
  }
}) {}
