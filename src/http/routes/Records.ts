// The dashboard's reads of signals, tokens and notifications. They are separate from the public operations so that they
// have a rate limit of their own.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { Api } from "../../api/Api.ts"
import { Notifications } from "../../services/Notifications.ts"
import { RuleStatuses } from "../../services/rules/RuleStatus.ts"
import { Signals } from "../../services/Signals.ts"
import { Tokens } from "../../services/Tokens.ts"
import { refuse } from "../Problems.ts"
import { Program } from "../Program.ts"
import * as RecordReads from "./RecordReads.ts"

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "records", (handlers) =>
  Effect.gen(function* () {
    const signals = RecordReads.ofSignals(yield* Signals, yield* Program, yield* RuleStatuses)
    const tokens = RecordReads.ofTokens(yield* Tokens)
    const notifications = RecordReads.ofNotifications(yield* Notifications)
    return handlers
      .handleRaw("signals", ({ urlParams }) => refuse(signals.list(urlParams)))
      .handle("signal", ({ path }) => refuse(signals.get(path.id)))
      .handle("template", ({ path }) => refuse(signals.template(path.id)))
      .handle("tokens", () => tokens)
      .handle("notifications", () => notifications)
  })
)
