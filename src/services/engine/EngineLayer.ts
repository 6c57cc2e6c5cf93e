// The layer of the engine: its requests, and the loops that drive it. Everything that may let a bot decide runs in a
// `turn`, one at a time; Engine.ts lists what a turn does.
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId, Identity } from "../../domain/Account.ts"
import type { Instruction } from "../../domain/Alert.ts"
import type { MarketId } from "../../domain/Market.ts"
import { type Strategy, StrategyBusy, type StrategyNotFound } from "../../domain/Strategy.ts"
import { Bots } from "../Bots.ts"
import { StorageUnavailable } from "../records/StorageUnavailable.ts"
import { type StrategyChange, StrategyStore } from "../StrategyStore.ts"
import * as AlertJudging from "./alerts/AlertJudging.ts"
import * as AlertTurns from "./alerts/AlertTurns.ts"
import { follow } from "./alerts/Following.ts"
import * as StrategyDeletion from "./alerts/StrategyDeletion.ts"
import { EnginePartitions } from "./EnginePartitions.ts"
import * as EngineState from "./EngineState.ts"
import * as Handover from "./Handover.ts"
import * as ManualOrders from "./orders/ManualOrders.ts"
import * as OrderInquiry from "./orders/OrderInquiry.ts"
import * as RealMoney from "./orders/RealMoney.ts"
import * as Reconciliation from "./orders/Reconciliation.ts"
import * as Preview from "./Preview.ts"
import * as BotSnapshots from "./prices/BotSnapshots.ts"
import * as Deadlines from "./prices/Deadlines.ts"
import * as MarketWatch from "./prices/MarketWatch.ts"
import * as PriceTurns from "./prices/PriceTurns.ts"
import { priced } from "./prices/Pricing.ts"
import * as StrategyWatch from "./prices/StrategyWatch.ts"
import * as Trails from "./prices/Trails.ts"
import * as SettingsChange from "./SettingsChange.ts"
import * as Startup from "./Startup.ts"
import * as Turns from "./Turns.ts"

/** How often moved trails are stored and orders in flight are asked about (ms). */
const SAVE_MS = 1000
/** How long a request waits for the bots, which in turn wait for a full disk (ms). */
const REQUEST_MS = 5000

/** The engine of a server. Stopping it stores the last steps. */
export const layer = (options: EngineState.Options) => Layer.scopedContext(make(options))

const make = Effect.fnUntraced(function* (options: EngineState.Options) {
  const desk = yield* EngineState.make(options)
  const turns = yield* Turns.make(desk)
  const { awaitedTurn, every, storingTurn, turn, urgentTurn } = turns
  const strategies = yield* StrategyWatch.make(desk)
  if (options.isShared !== true) strategies.learn((yield* Startup.load(desk, turns, options)).values())
  const pricing = priced(desk)
  const judging = yield* AlertJudging.make(desk, pricing.applyRules)
  const alerts = yield* AlertTurns.make(desk, judging, turns)
  const preview = yield* Preview.make(desk, judging, awaitedTurn, options)
  const trails = Trails.make(desk, turns)
  const partitions = yield* Handover.make(desk, { options, turns, trails, strategies })
  const inquiry = yield* OrderInquiry.make(desk, turns)
  const compared = yield* Reconciliation.make(desk, turn)
  // In a turn: a node that has given up leaving may still have one.
  yield* Effect.addFinalizer(() => lastly(storingTurn(trails.save), desk))
  // The first loop to get a turn: older alerts are judged before anything else, while the server already listens.
  yield* follow("alerts", alerts.next)
  yield* follow("prices", yield* PriceTurns.make(desk, { pricing, judging, turn: urgentTurn }))
  yield* follow("the time", Deadlines.make(desk, judging.read(), turn))
  yield* follow("answers", answered(desk, urgentTurn))
  yield* follow("halts", Effect.zipRight(turn(Effect.void), desk.halted))
  yield* follow("strategies", strategies.listen)
  yield* follow("markets", yield* MarketWatch.make(desk))
  // The last ones: what the first turns of the others make is found at their first look.
  yield* follow("orders", every(SAVE_MS, inquiry.start))
  yield* follow("wallets", every(Reconciliation.LOOK_MS, compared))
  yield* follow("trails", every(SAVE_MS, Effect.as(trails.saveInTurns, false)))
  const bots = Bots.of({
    ...(yield* requests(desk, alerts.behindOwn, awaitedTurn)),
    preview: (sender: Identity, instruction: Instruction) => inTime(preview(sender, instruction)),
    standings: BotSnapshots.make(desk),
    started: Effect.sync(() => Array.from(desk.roster.all(), ({ strategy }) => strategy)),
    watchAlso: (markets: ReadonlyArray<MarketId>) => Effect.sync(() => desk.needs.watchAlso(markets)),
    caughtUp: alerts.caughtUp
  })
  return Context.make(Bots, bots).pipe(Context.add(EnginePartitions, partitions))
})

/** Late answers of exchanges are taken in between other events, and awaited outside of any turn. */
const answered = ({ answers, settle, takeIn }: EngineState.EngineState, turn: Turns.Turn) =>
  Effect.flatMap(answers, ({ report, sending }) => turn(Effect.zipRight(takeIn(sending, report), settle())))

type BehindOwn = Effect.Effect.Success<ReturnType<typeof AlertTurns.make>>["behindOwn"]

/** Makes the requests that change a strategy or its bot, each behind the alerts that were accepted before it. */
const requests = Effect.fnUntraced(function* (
  desk: EngineState.EngineState,
  behindOwn: BehindOwn,
  turn: Turns.Turn
) {
  const store = yield* StrategyStore
  const change = yield* SettingsChange.make(desk)
  const ending = yield* StrategyDeletion.make(desk)
  const money = RealMoney.make(desk)
  const manual = yield* ManualOrders.make(desk)
  const { share } = desk

  const admit = Effect.fn("Bots.admit")((account: AccountId, changes: ReadonlyArray<StrategyChange>) => {
    const owns = changes.flatMap(({ before }) => (before === undefined ? [] : [{ account, id: before.id }]))
    return inTime(behindOwn(owns, Effect.zipLeft(change(account, changes), desk.settle())))
  })
  const ended = Effect.fn("Bots.end")(function* (account: AccountId, id: number) {
    const own = yield* store.get(account, id)
    return yield* behindOwn([own], ending(account, id))
  })
  /** Alerts are still accepted during a deletion: they are judged too, and what they open is closed again. */
  const end = (account: AccountId, id: number): Effect.Effect<void, StrategyNotFound | StrategyBusy> =>
    Effect.catchTag(ended(account, id), "AlertsUnjudged", () => end(account, id))
  /** Arming applies to the strategy as it was checked: fails where it was changed or deleted meanwhile. */
  const unchanged = ({ account, id, revision }: Strategy) =>
    Effect.filterOrFail(
      Effect.option(store.get(account, id)),
      Option.exists((now) => now.revision === revision),
      () => new StrategyBusy()
    )
  return {
    admit,
    end: (account: AccountId, id: number) => inTime(end(account, id)),
    arm: (...arming: Parameters<typeof money.arm>) =>
      inTime(behindOwn([arming[0]], Effect.zipRight(unchanged(arming[0]), money.arm(...arming)))),
    disarm: (strategy: Strategy, how: RealMoney.Leave) =>
      inTime(behindOwn([strategy], money.disarm(strategy, how))),
    byHand: (...order: Parameters<typeof manual.give>) =>
      inTime(behindOwn([order[0]], manual.give(...order))),
    previewByHand: (...order: Parameters<typeof manual.preview>) =>
      inTime(turn(Effect.zipRight(share.own(order[0].account), manual.preview(...order)))),
    stand: (strategy: Strategy) =>
      inTime(turn(Effect.zipRight(share.own(strategy.account), money.stand(strategy))))
  }
})

/** Fails a request that the bots cannot serve in time. It may be sent again: repeating it is harmless. */
const inTime = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.timeoutFailCause(self, {
    duration: REQUEST_MS,
    onTimeout: () => Cause.die(new StorageUnavailable({ reason: "the bots are waiting for the disk" }))
  })

/** Stores the last steps at shutdown, and gives up on a disk that stays full. */
const lastly = (save: Effect.Effect<void>, desk: EngineState.EngineState) =>
  Effect.timeout(Effect.interruptible(save), REQUEST_MS).pipe(
    Effect.catchAllCause((cause) => Effect.logError("the last steps of the bots could not be stored", cause)),
    Effect.zipRight(desk.abandon)
  )
