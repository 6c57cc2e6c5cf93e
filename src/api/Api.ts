// The whole HTTP contract as one value. It imports only domain, so that a typed client needs nothing of the server.
import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import { Alert, Charting } from "./Alerts.ts"
import { AllTrades } from "./AllTrades.ts"
import { Backtests } from "./Backtests.ts"
import { Candles } from "./candles/Candles.ts"
import { Dashboard } from "./Dashboard.ts"
import { Copies, Public } from "./directory/Public.ts"
import { Events } from "./Events.ts"
import { History } from "./History.ts"
import { Incoming } from "./Incoming.ts"
import { Notifications } from "./Notifications.ts"
import { Operator } from "./Operator.ts"
import { Positions } from "./Positions.ts"
import { Arming } from "./RealMoney.ts"
import { Records } from "./Records.ts"
import { Rules } from "./rules/Rules.ts"
import { Sessions } from "./Sessions.ts"
import { Signals } from "./Signals.ts"
import { Strategies } from "./Strategies.ts"
import * as Problems from "./shared/Problems.ts"
import { tidy } from "./shared/Tidy.ts"
import { Tokens } from "./Tokens.ts"

/**
 * The contract: the server, the typed client (`signalbox/api/client`) and the reference are made from it.
 *
 * @example
 * ```ts
 * import { OpenApi } from "@effect/platform"
 * import { Api } from "signalbox/api"
 *
 * console.log(Object.keys(OpenApi.fromApi(Api).paths))
 * ```
 */
export const Api = HttpApi.make("signalbox")
  .add(Signals)
  .add(Charting)
  .add(Alert)
  .add(Strategies)
  .add(History)
  .add(Events)
  .add(Notifications)
  .add(Dashboard)
  .add(AllTrades)
  .add(Records)
  .add(Incoming)
  .add(Tokens)
  .add(Sessions)
  .add(Operator)
  .add(Candles)
  .add(Backtests)
  .add(Rules)
  .add(Arming)
  .add(Positions)
  .add(Public)
  .add(Copies)
  .addError(Problems.Internal)
  .addError(Problems.Unavailable)
  .annotateContext(
    OpenApi.annotations({
      title: "Signalbox",
      version: "1",
      summary: "Signals and strategies of a trading automation server",
      description:
        "Alerts come in, are stored before they are answered, and are acted on by every strategy that follows their signal. Times are seconds since the Unix epoch.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      servers: [{ url: "/", description: "this server" }],
      transform: tidy
    })
  )
