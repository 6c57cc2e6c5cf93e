// Planted bugs in what is stored, and when.
import { Effect } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { AlertId } from "../../src/domain/Alert.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Appended } from "../../src/services/Journal.ts"
import { Portfolio, type Step } from "../../src/services/Portfolio.ts"
import { appending, type Bugs, within } from "./mutant.ts"
import type { World } from "./World.ts"

type Commit = (typeof Portfolio.Service)["commit"]

const committing = (change: (commit: Commit, world: World) => Commit) =>
  within(Portfolio, (sound, world) => ({ ...sound, commit: change(sound.commit, world) }))

const eachStep = (change: (step: Step) => Step) =>
  committing((commit) => (steps, cursor) => commit(steps.map(change), cursor))

const NOTHING = { orders: [], statuses: [], fills: [], postings: [], trades: [], notes: [], waits: [] }

const lastId = (world: World): number =>
  world.disk.rows<{ id: number }>("SELECT coalesce(max(id), 0) AS id FROM alerts")[0]?.id ?? 0

export const bugs: Bugs = {
  "an order sent before it is recorded": committing(
    (commit) => (steps, cursor) => Effect.asVoid(Effect.forkDaemon(Effect.delay(commit(steps, cursor), 40)))
  ),
  "an alert answered before it is on disk": appending(
    (append, world) => (draft) =>
      Effect.gen(function* () {
        const id = AlertId.make(lastId(world) + 1)
        yield* Effect.forkDaemon(Effect.delay(append(draft), 400))
        return Appended.Recorded({ id })
      })
  ),
  "two transactions where one is due": committing((commit) => (steps, cursor) => {
    const later = steps.filter(({ outcomes }) => outcomes.length > 0).map((step) => ({ ...step, ...NOTHING }))
    return commit(
      steps.map((step) => ({ ...step, outcomes: [] })),
      cursor
    ).pipe(
      Effect.zipRight(Effect.sleep(100)),
      Effect.zipRight(later.length > 0 ? commit(later) : Effect.void)
    )
  }),
  "what was judged beyond the cursors not looked for": within(Portfolio, (sound) => ({
    ...sound,
    commit: (steps) => sound.commit(steps),
    judged: () => Effect.succeed(new Map())
  })),
  "the cursor ahead of the outcomes": committing(
    (commit) => (steps, cursors) =>
      commit(steps, new Map(Array.from(cursors ?? [], ([partition, cursor]) => [partition, cursor + 1])))
  ),
  "an outcome told twice": eachStep((step) =>
    step.outcomes.length > 0 ? { ...step, notes: [...step.notes, ...step.notes] } : step
  ),
  "an outcome on another's account": eachStep((step) => ({
    ...step,
    outcomes: step.outcomes.map((outcome) => ({ ...outcome, account: AccountId.make(3 - outcome.account) }))
  })),
  "a line left out of a posting": eachStep((step) => ({
    ...step,
    postings: step.postings.map((posting) =>
      posting.lines.length > 3 ? { ...posting, lines: posting.lines.slice(0, 3) } : posting
    )
  })),
  "a posting left out": eachStep((step) => (step.fills.length > 0 ? { ...step, postings: [] } : step)),
  "a trade left out": eachStep((step) => ({ ...step, trades: [] })),
  "cash before the fee": eachStep((step) => {
    const [fill] = step.fills
    if (fill === undefined) return step
    const { state } = step.bot
    return { ...step, bot: { ...step.bot, state: { ...state, cash: Decimal.add(state.cash, fill.fee) } } }
  }),
  "a rejection recorded as unknown": eachStep((step) => ({
    ...step,
    statuses: step.statuses.map((it) => (it.status === "rejected" ? { ...it, status: "unknown" } : it))
  })),
  "a status that goes back": eachStep((step) => ({
    ...step,
    statuses: step.statuses.flatMap((it) =>
      it.status === "partly_filled" ? [it, { ...it, status: "accepted" }] : [it]
    )
  }))
}
