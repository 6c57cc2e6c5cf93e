// The contract of public records read by the dashboard, under its own rate limit. Changes go through the public
// operations.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { TargetList } from "./Notifications.ts"
import { SignalList, SignalView, TemplateView } from "./Signals.ts"
import { Page, pathOf } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"
import { TokenList } from "./Tokens.ts"

const path = pathOf("SignalId")
const words = (summary: string) =>
  OpenApi.annotations({ summary, description: "As the public operation, under the dashboard's own limit." })

export const Records = HttpApiGroup.make("records")
  .add(
    HttpApiEndpoint.get("signals", "/v1/dashboard/signals")
      .setUrlParams(Page)
      .addSuccess(SignalList)
      .addError(Problems.Unprocessable)
      .annotateContext(words("List signals"))
  )
  .add(
    HttpApiEndpoint.get("signal", "/v1/dashboard/signals/:id")
      .setPath(path)
      .addSuccess(SignalView)
      .addError(Problems.NotFound)
      .annotateContext(words("Retrieve a signal"))
  )
  .add(
    HttpApiEndpoint.get("template", "/v1/dashboard/signals/:id/template")
      .setPath(path)
      .addSuccess(TemplateView)
      .addError(Problems.NotFound)
      .annotateContext(words("Read what to paste into a charting platform"))
  )
  .add(
    HttpApiEndpoint.get("tokens", "/v1/dashboard/tokens")
      .addSuccess(TokenList)
      .annotateContext(words("List tokens"))
  )
  .add(
    HttpApiEndpoint.get("notifications", "/v1/dashboard/notifications")
      .addSuccess(TargetList)
      .annotateContext(words("List notifications"))
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "dashboard" }))
  .annotateContext(
    OpenApi.annotations({
      title: "Records",
      description: "Signals, tokens and notifications as the dashboard reads them."
    })
  )
