import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../domain/Account.ts"
import type { Alert } from "../domain/Alert.ts"
import { type Event, idOf, kindOf, type Placed, type Position } from "../domain/Event.ts"
import type { TimelineNote } from "../domain/Timeline.ts"
import { Journal } from "./Journal.ts"
import { MemoryState, note as record } from "./records/MemoryState.ts"

/** Some events in their order, and how far a reader has come with all of them. `full`: there may be more right now. */
export interface Stretch {
  readonly events: ReadonlyArray<Placed>
  readonly position: Position
  readonly full: boolean
}

/** Everybody's events, as an owner. */
export const EVERYBODY = 0

/**
 * What happened in an account, in order and as often as asked. A port. Events are not written: they are the lines of
 * the account's timelines and its alerts, read on from a position. An alert comes before what was made of it.
 *
 * **Whoever implements it keeps**
 *
 * - Scope: an account's own timelines and alerts, and what was announced to all; nothing of another's.
 * - Order: a position is only given when all before it are there for good. Read in stretches of any length, each event
 *   comes once, in the same order and with the same id.
 * - Repeats: what is read again is told again as it was. A position beyond the end, as after a backup was put back, is
 *   the end.
 * - Bounds: at most `limit` events of a stretch, which says by `full` that there may be more.
 *
 * **Proved by** `EventsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Events extends Context.Tag("signalbox/services/Events")<
  Events,
  {
    /** The position beyond which everything is still to come. */
    readonly head: Effect.Effect<Position>
    /** At most `limit` of the account's events beyond a position; one beyond the head counts as the head. */
    readonly after: (account: AccountId, position: Position, limit: number) => Effect.Effect<Stretch>
    /** Tells an account, or every one where none is named, of something that concerns no strategy. */
    readonly announce: (note: TimelineNote, account?: AccountId) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Events,
    Effect.gen(function* () {
      const state = yield* MemoryState
      const journal = yield* Journal
      const head = Effect.map(journal.last, (alert) => ({ entry: state.timeline.at(-1)?.id ?? 0, alert }))
      return Events.of({
        head,
        after: Effect.fn("Events.after")(function* (account, position, limit) {
          const end = yield* head
          const from = least(position, end)
          const newest = yield* journal.list(account, { limit: end.alert - from.alert })
          const alerts = newest.filter(({ id }) => id > from.alert).reverse()
          const entries = state.timeline.flatMap(({ account: owner, id, note, strategy }) => {
            if (id <= from.entry || (owner !== account && owner !== EVERYBODY)) return []
            const name = state.strategies.get(strategy)?.settings.name
            return [{ id, strategy, name, note }]
          })
          return merged(from, end, alerts.slice(0, limit), entries.slice(0, limit), limit)
        }),
        announce: Effect.fn("Events.announce")((note, account) =>
          Effect.sync(() => record(state, account ?? EVERYBODY, 0, note))
        )
      })
    })
  )
}

/** A line of a timeline as it is read for events. `strategy` is 0 where it is about none. */
export interface Entry {
  readonly id: number
  readonly strategy: number
  readonly name: string | undefined
  readonly note: TimelineNote
}

/** A position within the logs: those that were put back from a backup may end before it. */
export const least = (position: Position, head: Position): Position => ({
  entry: Math.min(position.entry, head.entry),
  alert: Math.min(position.alert, head.alert)
})

/** What was read of both logs up to `head` as one stretch. Lines wait until all alerts before them are told. */
export const merged = (
  from: Position,
  head: Position,
  alerts: ReadonlyArray<Alert>,
  entries: ReadonlyArray<Entry>,
  limit: number
): Stretch => {
  const told = alerts.map((alert) => ({
    event: eventOfAlert(alert),
    position: { entry: from.entry, alert: Number(alert.id) }
  }))
  if (told.length === limit) return { events: told, position: told.at(-1)?.position ?? from, full: true }
  const room = entries.slice(0, limit - told.length)
  const lines = room.map((entry) => ({
    event: eventOfEntry(entry),
    position: { entry: entry.id, alert: head.alert }
  }))
  const full = room.length < entries.length || entries.length === limit
  const position = full ? { entry: room.at(-1)?.id ?? from.entry, alert: head.alert } : head
  return { events: [...told, ...lines], position, full }
}

const eventOfAlert = (alert: Alert): Event => {
  const targets = [
    ...Option.match(alert.tp, { onNone: () => [], onSome: (tp) => [`take profit ${tp}`] }),
    ...Option.match(alert.sl, { onNone: () => [], onSome: (sl) => [`stop loss ${sl}`] })
  ]
  const pair = `${alert.coin}/${alert.quoteCurrency}`
  const said = [`${alert.type.replaceAll("_", " ")} ${pair}`, ...targets].join(", ")
  return {
    id: idOf("alert", alert.id, alert.receivedAt),
    kind: "alert_received",
    at: alert.receivedAt,
    rule: "alert_received",
    text: `Alert ${alert.id} for signal ${alert.signalId}: ${said}.`,
    alert: alert.id,
    facts: {
      signal_id: alert.signalId,
      type: alert.type,
      pair,
      ...Option.match(alert.tp, { onNone: () => ({}), onSome: (tp) => ({ tp }) }),
      ...Option.match(alert.sl, { onNone: () => ({}), onSome: (sl) => ({ sl }) })
    }
  }
}

const eventOfEntry = ({ id, name, note, strategy }: Entry): Event => {
  const reason = Option.getOrUndefined(note.reason)
  const alert = Option.getOrUndefined(note.alertId)
  return {
    id: idOf("entry", id, note.at),
    kind: kindOf(note.rule, reason, note.facts),
    at: note.at,
    rule: note.rule,
    text: note.text,
    ...(strategy === 0 ? {} : { strategy }),
    ...(name === undefined ? {} : { strategyName: name }),
    ...(alert === undefined ? {} : { alert }),
    ...(reason === undefined ? {} : { reason }),
    facts: note.facts
  }
}
