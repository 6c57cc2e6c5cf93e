// Reads alerts from the journal into the lanes of the accounts whose strategies follow them. Lanes without room leave
// their alerts in the journal, so that no account's alerts wait for another account's.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Alert, AlertId } from "../../../domain/Alert.ts"
import { partitionOf } from "../../../domain/Partition.ts"
import type { SignalId } from "../../../domain/Signal.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { Journal } from "../../Journal.ts"
import { Portfolio } from "../../Portfolio.ts"
import { StrategyStore } from "../../StrategyStore.ts"
import { breathe } from "../Breath.ts"
import type { Share } from "../Share.ts"
import { type ByAccount, byAccount, without } from "./AccountFollowers.ts"
import type { Backlog } from "./Backlog.ts"
import type { Lane } from "./Lane.ts"

/** Alerts read from the journal at a time. */
const BATCH = 500
/** Tasks added without a pause, so that the event loop can serve others. */
const TAKEN_AT_ONCE = 20_000
/**
 * The size of the first batch where alerts may be judged already, about which storage is asked. Later batches grow, and none is
 * smaller.
 */
const BATCH_AT_START = 50
/** A batch with at most so many judged tasks doubles the next one; one with more halves it. */
const FEW_JUDGED = 1_000
/** For how long one turn reads alerts (ms), unless it says otherwise. */
const READ_MS = 20

/** Alerts with the strategies that have to judge them. */
interface Some {
  readonly alerts: ReadonlyArray<Alert>
  /** The strategies that follow or followed the alerts' signals. */
  readonly followers: ReadonlyMap<SignalId, ByAccount>
  /** Which bots had judged these alerts before this engine had them. */
  readonly judged: ReadonlyMap<AlertId, ReadonlySet<StrategyId>>
  /** Whether the journal may hold more. */
  readonly isMore: boolean
}

/** Makes `read` and `refill`. */
export const make = Effect.fnUntraced(function* (backlog: Backlog, share: Share) {
  const journal = yield* Journal
  const some = yield* reading(share)

  /** Adds alerts to lanes up to a bound; true when all were added. */
  const take = ({ alerts, followers, judged }: Some): boolean => {
    let taken = 0
    for (const alert of alerts) {
      if (taken >= TAKEN_AT_ONCE) return false
      for (const [account, crowd] of followers.get(alert.signalId) ?? []) {
        if (!share.has(account) || alert.id <= backlog.frontOf(partitionOf(account))) continue
        const strategies = crowd.at(alert.id)
        backlog.add(account, alert, without(strategies, judged.get(alert.id)))
        taken += strategies.length
      }
      backlog.front = alert.id
    }
    return true
  }

  /** Reads what is in the journal at the call, for so long at most (ms); says whether that was all. */
  const read = Effect.fnUntraced(function* (forMs = READ_MS) {
    if (share.isEmpty) return true
    const last = yield* journal.last
    const startedAt = yield* Clock.currentTimeMillis
    for (;;) {
      const found = yield* some(backlog.front)
      if (take(found) && (!found.isMore || backlog.front >= last)) return true
      yield* breathe
      if ((yield* Clock.currentTimeMillis) - startedAt >= forMs) return false
    }
  })

  /** Refills a lane from the journal once half of its bound is free, some alerts at a time. */
  const refill = Effect.fnUntraced(function* (lane: Lane) {
    if (lane.cutAt === undefined || !lane.isHungry) return
    const { alerts, followers, judged } = yield* some(lane.cutAt - 1)
    const strategiesOf = ({ id, signalId }: Alert) =>
      without(followers.get(signalId)?.get(lane.account)?.at(id) ?? [], judged.get(id))
    lane.refill(alerts, backlog.frontOf(lane.partition), strategiesOf)
  })

  return { read, refill }
})

/** Makes the reading of some alerts after one. */
const reading = Effect.fnUntraced(function* (share: Share) {
  const journal = yield* Journal
  const portfolio = yield* Portfolio
  const store = yield* StrategyStore
  const start = startSizing(share)

  /** Which bots had judged these alerts before. */
  const judgedOf = (alerts: ReadonlyArray<Alert>) =>
    Effect.map(portfolio.judged(alerts.map(({ id }) => id)), (judged) => {
      start.found(judged, alerts.length)
      return judged
    })

  const some = Effect.fnUntraced(function* (after: number) {
    // Up to here others may have judged: an earlier run, or another engine.
    const before = share.begunAt
    const isAtStart = after < before
    const limit = isAtStart ? start.batch() : BATCH
    const read = yield* journal.since(after, limit)
    // Queried after the alerts are read, so that later changes come after them.
    const signals = new Set(read.map(({ signalId }) => signalId))
    const followings = yield* store.followings(signals, share.partitions)
    const followers = new Map(Array.from(followings, ([signal, all]) => [signal, byAccount(all)]))
    const alerts = isAtStart ? cutByFollowers(read, followings) : read
    const old = alerts.filter(({ id }) => id <= before)
    const judged = old.length === 0 ? NOTHING : yield* judgedOf(old)
    return {
      alerts,
      followers,
      judged,
      isMore: read.length === limit || alerts.length < read.length
    } satisfies Some
  })
  return (after: number) => Effect.tapErrorCause(some(after), () => Effect.sync(start.anew))
})

/** Makes the size of batches at the start, which begins anew where partitions have come or a read has failed. */
const startSizing = (share: Share) => {
  let batch = BATCH_AT_START
  let partitions = share.partitions
  const anew = () => {
    batch = BATCH_AT_START
  }
  return {
    anew,
    batch: () => {
      if (share.partitions !== partitions) anew()
      partitions = share.partitions
      return batch
    },
    /** Sets the size of the next batch. Storage has answered for so many alerts, and these are judged. */
    found: (judged: Some["judged"], alerts: number): void => {
      let count = 0
      for (const bots of judged.values()) count += bots.size
      const next = count <= FEW_JUDGED ? 2 * alerts : Math.floor(alerts / 2)
      batch = Math.max(BATCH_AT_START, Math.min(BATCH, next))
    }
  }
}

/** The first alerts of a batch. Beyond `BATCH_AT_START`, it ends where their followers are too many for one query. */
const cutByFollowers = (
  alerts: ReadonlyArray<Alert>,
  followings: ReadonlyMap<SignalId, ReadonlyArray<unknown>>
): ReadonlyArray<Alert> => {
  let count = 0
  const end = alerts.findIndex(({ signalId }, place) => {
    count += followings.get(signalId)?.length ?? 0
    return place >= BATCH_AT_START && count > TAKEN_AT_ONCE
  })
  return end < 0 ? alerts : alerts.slice(0, end)
}

const NOTHING: Some["judged"] = new Map()
