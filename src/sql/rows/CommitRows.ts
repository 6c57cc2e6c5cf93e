// The rows that a commit of the engine adds and changes, by table and in the sequence of its steps. Their values are in
// the sequence of the columns that `PortfolioRows` inserts.
import * as Option from "effect/Option"
import type { Halt } from "../../domain/Halt.ts"
import { type Partition, partitionOf } from "../../domain/Partition.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { Step } from "../../services/Portfolio.ts"
import type { PlainRow } from "./Insert.ts"
import * as Rows from "./PortfolioRows.ts"
import { stateText } from "./StateText.ts"
import * as TimelineRows from "./TimelineRows.ts"

/** The rows of a commit. */
export interface CommitRows {
  /** Of a bot with several steps only the last state is written. */
  readonly bots: ReadonlyArray<PlainRow>
  readonly orders: ReadonlyArray<PlainRow>
  /** Orders and their statuses. An order may change more than once. */
  readonly statuses: ReadonlyArray<readonly [order: string, status: string]>
  readonly fills: ReadonlyArray<PlainRow>
  readonly trades: ReadonlyArray<PlainRow>
  readonly notes: ReadonlyArray<PlainRow>
  readonly waits: ReadonlyArray<PlainRow>
  readonly outcomes: ReadonlyArray<PlainRow>
  readonly postings: ReadonlyArray<Posting>
}

/** A posting for the ledger's chain of a partition, as JSON. */
export interface Posting {
  readonly partition: Partition
  readonly strategy: StrategyId
  readonly posting: string
}

/** The rows of steps. */
export const of = (steps: ReadonlyArray<Step>): CommitRows => {
  const each = <A, B>(of: (step: Step) => ReadonlyArray<A>, row: (item: A, strategy: StrategyId) => B) =>
    steps.flatMap((step) => of(step).map((item) => row(item, step.bot.strategy)))
  return {
    bots: botsOf(steps),
    orders: each(
      (step) => step.orders,
      (it, strategy) => [it.id, strategy, Rows.orderText(it), "intended"]
    ),
    statuses: each(
      (step) => step.statuses,
      (it) => [it.order, it.status]
    ),
    fills: each(
      (step) => step.fills,
      (it, strategy) => [strategy, Rows.fillText(it)]
    ),
    trades: steps.flatMap((step) =>
      step.trades.map((it) => [step.account, step.bot.strategy, Rows.tradeText(it)])
    ),
    notes: steps.flatMap((step) =>
      step.notes.map((it) => TimelineRows.row(step.account, step.bot.strategy, it))
    ),
    waits: each(
      (step) => step.waits,
      (it) => [it.alert, it.strategy, it.owner, it.since]
    ),
    outcomes: each(
      (step) => step.outcomes,
      (it) => [
        ...[it.alertId, it.strategyId, it.account, it.reason, it.at],
        it.facts === undefined ? null : JSON.stringify(it.facts)
      ]
    ),
    postings: postingsOf(steps)
  }
}

const botsOf = (steps: ReadonlyArray<Step>): ReadonlyArray<PlainRow> => {
  const changed = steps.filter(({ unchanged }) => unchanged === undefined)
  const bots = new Map(changed.map(({ bot }) => [bot.strategy, bot]))
  return Array.from(bots.values(), (it) => [
    it.strategy,
    it.step,
    stateText(it.state),
    Rows.tallyText(it.tally)
  ])
}

const postingsOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Posting> =>
  steps.flatMap(({ account, bot, postings }) => {
    const partition = partitionOf(account)
    return postings.map((it) => ({ partition, strategy: bot.strategy, posting: Rows.postingText(it) }))
  })

/** The halts that steps cause. */
export const haltsOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Halt> =>
  steps.flatMap(({ account, at, halt }) =>
    halt === undefined ? [] : [{ account: Option.some(account), at, cause: "daily_loss", text: halt }]
  )
