// What nodes ask the owner of a bot: one procedure for each request of the port `Bots` that concerns an account, and the two
// of arming that the owner keeps something of. Messages
// are as the domain stores its nouns. `PROTOCOL` rises with each change that a node of the version before cannot read.
import * as Rpc from "@effect/rpc/Rpc"
import * as RpcGroup from "@effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { AccountId } from "../domain/Account.ts"
import { Instruction } from "../domain/Alert.ts"
import { ArmedTerms, ArmingRefused, ExchangeAccountId } from "../domain/Arming.ts"
import { ManualOrder, ManualRefused } from "../domain/position/ManualOrder.ts"
import { Violations } from "../domain/requests/Violations.ts"
import {
  SettingsRefused,
  Strategy,
  StrategyBusy,
  StrategyChanged,
  StrategyNotFound,
  TooManyStrategies
} from "../domain/Strategy.ts"
import { KeyReused } from "../services/Journal.ts"
import { StorageUnavailable } from "../services/records/StorageUnavailable.ts"
import * as Requests from "./wire/Requests.ts"
import * as Results from "./wire/Results.ts"
import { Snapshot } from "./wire/Snapshots.ts"

/** The version of these messages, which is part of the path: a node that does not know it answers 404. */
export const PROTOCOL = 1

/**
 * How long a request may take, from the look for its owner on; and how long the owner works on it at most, whether or not
 * the caller is still there: what the caller has given up is not begun later.
 */
export const LIMIT = "5 seconds"

/** The same for arming, which asks the exchange. Longer than the use case waits for that. */
export const ARMING_LIMIT = "25 seconds"

/** The asked node does not own the partition. Nothing was begun: whoever owns it may be asked instead. */
export class NotOwner extends Schema.TaggedError<NotOwner>()("NotOwner", {}) {
  override get message() {
    return "this node does not run the bots of that account"
  }
}

/** The errors that every procedure may end with beside its own. */
const failures = [NotOwner, StorageUnavailable] as const

/** The procedures. */
export class BotsRpcs extends RpcGroup.make(
  Rpc.make("admit", {
    payload: { account: AccountId, changes: Schema.Array(Requests.Change) },
    success: Schema.Array(Strategy),
    error: Schema.Union(SettingsRefused, StrategyChanged, TooManyStrategies, ...failures)
  }),
  Rpc.make("end", {
    payload: { account: AccountId, strategy: Schema.Number },
    error: Schema.Union(StrategyNotFound, StrategyBusy, ...failures)
  }),
  Rpc.make("preview", {
    payload: { sender: Requests.Caller, instruction: Instruction },
    success: Schema.Array(Results.Previewed),
    error: Schema.Union(...failures)
  }),
  Rpc.make("standings", {
    payload: { strategies: Schema.Array(Requests.Owned) },
    success: Schema.Array(Snapshot),
    error: Schema.Union(...failures)
  }),
  Rpc.make("arm", {
    payload: { strategy: Strategy, terms: ArmedTerms, twins: Schema.Array(ExchangeAccountId) },
    error: Schema.Union(StrategyBusy, ...failures)
  }),
  Rpc.make("disarm", {
    payload: { strategy: Strategy, how: Requests.Leave },
    error: Schema.Union(...failures)
  }),
  Rpc.make("byHand", {
    payload: { strategy: Strategy, order: ManualOrder, request: Requests.Manual },
    success: Results.StoredAnswer,
    error: Schema.Union(ManualRefused, Violations, KeyReused, ...failures)
  }),
  Rpc.make("previewByHand", {
    payload: { strategy: Strategy, order: ManualOrder },
    success: Results.ManualResult,
    error: Schema.Union(ManualRefused, Violations, ...failures)
  }),
  Rpc.make("stand", {
    payload: { strategy: Strategy },
    success: Results.Stand,
    error: Schema.Union(...failures)
  }),
  Rpc.make("propose", {
    payload: { account: AccountId, strategy: Schema.Number, terms: ArmedTerms },
    success: Results.Proposal,
    error: Schema.Union(StrategyNotFound, ArmingRefused, ...failures)
  }),
  Rpc.make("confirm", {
    payload: {
      account: AccountId,
      strategy: Schema.Number,
      terms: ArmedTerms,
      confirmation: Schema.String
    },
    error: Schema.Union(StrategyNotFound, ArmingRefused, ...failures)
  }),
  Rpc.make("caughtUp", { payload: { account: AccountId }, error: Schema.Union(...failures) })
) {}
