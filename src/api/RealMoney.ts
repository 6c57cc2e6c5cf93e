// The contract of trading with real money: exchange accounts, arming, orders and the halt. Arming takes two requests;
// only the second, with the first one's `confirmation`, arms.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { ExchangeAccountId, REFUSALS } from "../domain/Arming.ts"
import { HaltCause } from "../domain/Halt.ts"
import { ExchangeName, MarketKind } from "../domain/Market.ts"
import { OrderPurpose, OrderSide, OrderStatus, OrderType } from "../domain/Order.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import { Done, Page, pathOf, text } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"

const time = (what: string) =>
  Schema.Int.annotations({ description: `${what}, seconds since the Unix epoch` })
const money = (description: string) => Schema.Number.annotations({ description })

const ExchangeAccountView = Schema.Struct({
  id: ExchangeAccountId,
  name: Schema.String.annotations({ description: "the name given by its owner" }),
  exchange: ExchangeName,
  sandbox: Schema.Boolean.annotations({ description: "whether it is at the exchange's test network" }),
  created_at: time("when it was connected"),
  checked_at: Schema.NullOr(time("when its keys were tried last; null where they never were")),
  problem: Schema.NullOr(Schema.String).annotations({
    description: "the error that the last check found; null if there was none"
  }),
  strategies: Schema.Array(StrategyId).annotations({ description: "strategies that trade with it now" })
}).annotations({ identifier: "ExchangeAccount", description: "An account at an exchange, without its keys." })
export type ExchangeAccountView = typeof ExchangeAccountView.Type

const ExchangeAccountList = Schema.Struct({ data: Schema.Array(ExchangeAccountView) }).annotations({
  identifier: "ExchangeAccountList",
  description: "The caller's accounts at exchanges."
})

const terms = {
  account: ExchangeAccountId.annotations({ description: "the exchange account to trade with" }),
  capital: money("what the strategy starts with, in its default quote currency"),
  max_order: money("the most that one entry may use up, fee included"),
  max_daily_loss: money("what a day (UTC) may lose, realised and open, before entries are halted"),
  protective_stop: Schema.optional(Schema.Boolean).annotations({
    description: "whether the stop loss is kept at the exchange too; false where left out"
  })
}

const ArmDraft = Schema.Struct({
  ...terms,
  confirmation: Schema.optional(Schema.String).annotations({
    description: "from the answer to the same request without one: arms, once, within five minutes"
  })
}).annotations({ identifier: "ArmDraft" })

/** A strategy's trading mode. */
export const Mode = Schema.Literal("paper", "live", "leaving").annotations({
  description: "`leaving` was disarmed: it enters nothing, and is on paper again once it is flat"
})

const ModeView = Schema.Struct({
  mode: Mode,
  armed: Schema.NullOr(
    Schema.Struct({
      account: ExchangeAccountId,
      account_name: Schema.NullOr(Schema.String),
      exchange: Schema.NullOr(ExchangeName),
      sandbox: Schema.Boolean,
      capital: terms.capital,
      max_order: terms.max_order,
      max_daily_loss: terms.max_daily_loss,
      protective_stop: Schema.Boolean,
      armed_at: time("when it was armed"),
      lost_today: Schema.NullOr(
        money("what today has lost so far, negative for a gain; null without prices")
      ),
      stopped_today: Schema.Boolean.annotations({ description: "whether today has lost all that it may" })
    })
  ),
  astray: Schema.Array(Schema.String).annotations({
    description: "markets on which the exchange holds less than the books: nothing is done there any more"
  }),
  confirmation: Schema.NullOr(
    Schema.Struct({
      token: Schema.String,
      expires_at: time("until when it may be used"),
      statement: Schema.String.annotations({ description: "the statement that is agreed to, in words" }),
      warnings: Schema.Array(Schema.String)
    })
  ).annotations({ description: "there in the answer to a request without one, which changed nothing" })
}).annotations({
  identifier: "TradingMode",
  description: "Whether a strategy trades with real money, and on what terms."
})
export type ModeView = typeof ModeView.Type

const FillView = Schema.Struct({
  id: Schema.String.annotations({ description: "the exchange's" }),
  at: time("when"),
  quantity: money("in base, as it arrived"),
  price: Schema.Number,
  fee: money("in quote"),
  fee_asset: Schema.String.annotations({ description: "the asset of the fee" }),
  fee_amount: money("in that asset")
})
const OrderView = Schema.Struct({
  id: Schema.String,
  sequence: Schema.Int,
  exchange: ExchangeName,
  pair: Schema.String,
  kind: MarketKind,
  side: OrderSide,
  type: OrderType,
  purpose: OrderPurpose,
  alert_id: Schema.NullOr(Schema.Int).annotations({
    description: "the alert behind an entry; null for every other order"
  }),
  live: Schema.Boolean.annotations({ description: "false for an order on paper" }),
  client_id: Schema.NullOr(Schema.String).annotations({
    description: "the client order id at the exchange; null on paper"
  }),
  quantity: money("in base"),
  price: Schema.Number.annotations({
    description: "the price at the decision; the limit or trigger price of limit and stop orders"
  }),
  status: OrderStatus,
  filled: money("in base, as it arrived: a fee that was taken in the coin bought is off it"),
  at: time("when it was decided"),
  fills: Schema.Array(FillView)
}).annotations({ identifier: "Order", description: "An order of a strategy, with its fills." })
export type OrderView = typeof OrderView.Type

const OrderList = Schema.Struct({ data: Schema.Array(OrderView) }).annotations({
  identifier: "OrderList",
  description: "Orders, newest first."
})

const HaltView = Schema.Struct({
  halted: Schema.Boolean.annotations({ description: "whether the caller's strategies enter nothing" }),
  everybody: Schema.Boolean.annotations({
    description: "whether everybody's do: only the operator or `signalbox resume` ends that"
  }),
  since: Schema.NullOr(time("since when")),
  cause: Schema.NullOr(HaltCause),
  text: Schema.NullOr(Schema.String).annotations({ description: "why, in words" })
}).annotations({ identifier: "Halt", description: "Whether entries are halted. Exits always go on." })
export type HaltView = typeof HaltView.Type

const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })
const account = pathOf("ExchangeAccountId")
const strategy = pathOf("StrategyId")

export const Arming = HttpApiGroup.make("live")
  .add(
    HttpApiEndpoint.get("accounts", "/v1/exchange-accounts")
      .addSuccess(ExchangeAccountList)
      .annotateContext(
        words(
          "List exchange accounts",
          "Keys are never shown; accounts are connected by `signalbox account connect`."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("check", "/v1/exchange-accounts/:id/check")
      .setPath(account)
      .addSuccess(ExchangeAccountView)
      .addError(Problems.NotFound)
      .annotateContext(words("Check an exchange account", "Asks the exchange whether its keys still work."))
  )
  .add(
    HttpApiEndpoint.del("remove", "/v1/exchange-accounts/:id")
      .setPath(account)
      .addSuccess(Done)
      .addError(Problems.NotFound)
      .addError(Problems.conflict("exchange_account_in_use"))
      .annotateContext(
        words("Remove an exchange account", "With its keys, for good. 409 while a strategy trades with it.")
      )
  )
  .add(
    HttpApiEndpoint.get("mode", "/v1/strategies/:id/arming")
      .setPath(strategy)
      .addSuccess(ModeView)
      .addError(Problems.NotFound)
      .annotateContext(words("Read how a strategy trades", "On paper, or with real money and on what terms."))
  )
  .add(
    HttpApiEndpoint.post("arm", "/v1/strategies/:id/arming")
      .setPath(strategy)
      .setPayload(ArmDraft)
      .addSuccess(ModeView)
      .addError(Problems.ofJsonBody(...REFUSALS))
      .addError(Problems.NotFound)
      .addError(Problems.conflict(...REFUSALS))
      .annotateContext(
        words(
          "Arm a strategy",
          "JSON. Without `confirmation` everything is looked at, nothing changes, and the answer holds one. With it the strategy trades with real money from now on; its performance begins anew with `capital`. An Idempotency-Key is not looked at: a confirmation arms once."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("disarm", "/v1/strategies/:id/arming")
      .setPath(strategy)
      .setUrlParams(
        Schema.Struct({
          close: Schema.optional(text("1 sells what is open at once")),
          forget: Schema.optional(text("1 takes out of the books what the exchange does not hold any more"))
        })
      )
      .addSuccess(ModeView)
      .addError(Problems.NotFound)
      .addError(Problems.conflict(...REFUSALS))
      .addError(Problems.unprocessable(...REFUSALS))
      .annotateContext(
        words(
          "Disarm a strategy",
          "It enters nothing more. What is open is managed to its end, or sold at once; then it is on paper again."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("orders", "/v1/strategies/:id/orders")
      .setPath(strategy)
      .setUrlParams(Page)
      .addSuccess(OrderList)
      .addError(Problems.NotFound)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words("List a strategy's orders", "Newest first, 100 unless `limit` is given, on paper and live.")
      )
  )
  .add(
    HttpApiEndpoint.get("halted", "/v1/halt")
      .addSuccess(HaltView)
      .annotateContext(words("Read whether entries are halted", "The caller's, and everybody's."))
  )
  .add(
    HttpApiEndpoint.post("halt", "/v1/halt")
      .addSuccess(HaltView)
      .annotateContext(
        words(
          "Halt",
          "Stops entries and averaging of all the caller's strategies, on paper too. Exits go on."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("resume", "/v1/halt")
      .addSuccess(HaltView)
      .addError(Problems.conflict("still_halted"))
      .annotateContext(
        words(
          "Resume",
          "Ends the caller's halt; for the operator everybody's too. 409 where that is not enough."
        )
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "dashboard" }))
  .annotateContext(
    OpenApi.annotations({
      title: "Live",
      description: "Exchange accounts, arming, orders and the halt: trading with real money."
    })
  )
