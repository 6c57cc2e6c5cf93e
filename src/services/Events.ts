// The port of an account's events, with its in-memory layer. Events are read, not written: they are the timeline
// entries and the alerts of the account, merged into one repeatable sequence.
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

/** Consecutive events, and the reader's position after them in both logs. `full`: more may be there already. */
export interface Stretch {
  readonly events: ReadonlyArray<Placed>
  readonly position: Position
  readonly full: boolean
}

/** The account id of events for everybody. */
export const EVERYBODY = 0

/**
 * The events of an account, in sequence and readable any number of times. A port. Events are not written: they are the
 * account's timeline entries and alerts, read from a position on. An alert comes before its outcomes.
 *
 * **An implementation keeps**
 *
 * - Scope: an account's own timelines and alerts, and announcements to all; nothing of another account.
 * - Order: a position is returned only when everything before it is final. Read in stretches of any length, each event
 *   comes once, in the same sequence and with the same id.
 * - Repeats: reading again returns the same. A position beyond the end, as after a restore, counts as the end.
 * - Bounds: at most `limit` events in a stretch; `full` says that there may be more.
 *
 * **Proved by** `EventsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Events extends Context.Tag("signalbox/services/Events")<
  Events,
  {
    /** The position after the newest event. */
    readonly head: Effect.Effect<Position>
    /**
     * Reads at most `limit` of the account's events after a position; a position beyond the head counts as the head.
     */
    readonly after: (account: AccountId, position: Position, limit: number) => Effect.Effect<Stretch>
    /**
     * Waits until there may be events after a position that `after` returned: at once where there are. Readers of
     * events without it look four times a second.
     */
    readonly arrival?: (position: Position) => Effect.Effect<void>
    /** Writes an event that concerns no strategy, for one account or for everybody. */
    readonly announce: (note: TimelineNote, account?: AccountId) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Events,
    Effect.gen(function* () {
      const state = yield* MemoryState
      const journal = yield* Journal
      const { beyond } = journal
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
          return merged({ from, head: end }, alerts.slice(0, limit), entries.slice(0, limit), limit)
        }),
        ...(beyond === undefined
          ? {}
          : {
              arrival: ({ alert, entry }) =>
                Effect.raceFirst(beyond(alert), state.timelineSignal.beyond(entry))
            }),
        announce: Effect.fn("Events.announce")((note, account) =>
          Effect.sync(() => record(state, account ?? EVERYBODY, 0, note))
        )
      })
    })
  )
}

/** A timeline entry as read for events. `strategy` is 0 where it concerns none. */
export interface Entry {
  readonly id: number
  readonly strategy: number
  readonly name: string | undefined
  readonly note: TimelineNote
}

/** Limits a position to the logs' end, which may lie before it after a restore. */
export const least = (position: Position, head: Position): Position => ({
  entry: Math.min(position.entry, head.entry),
  alert: Math.min(position.alert, head.alert)
})

/** Merges what was read of both logs up to `head` into one stretch: timeline entries wait until all alerts are out. */
export const merged = (
  { from, head }: { readonly from: Position; readonly head: Position },
  alerts: ReadonlyArray<Alert>,
  entries: ReadonlyArray<Entry>,
  limit: number
): Stretch => {
  const alertEvents = alerts.map((alert) => ({
    event: eventOfAlert(alert),
    position: { entry: from.entry, alert: Number(alert.id) }
  }))
  if (alertEvents.length === limit)
    return { events: alertEvents, position: alertEvents.at(-1)?.position ?? from, full: true }
  const room = entries.slice(0, limit - alertEvents.length)
  const lines = room.map((entry) => ({
    event: eventOfEntry(entry),
    position: { entry: entry.id, alert: head.alert }
  }))
  const full = room.length < entries.length || entries.length === limit
  const position = full ? { entry: room.at(-1)?.id ?? from.entry, alert: head.alert } : head
  return { events: [...alertEvents, ...lines], position, full }
}

const eventOfAlert = (alert: Alert): Event => {
  const targets = [
    ...Option.match(alert.tp, { onNone: () => [], onSome: (tp) => [`take profit ${tp}`] }),
    ...Option.match(alert.sl, { onNone: () => [], onSome: (sl) => [`stop loss ${sl}`] })
  ]
  const pair = `${alert.coin}/${alert.quoteCurrency}`
  const message = [`${alert.type.replaceAll("_", " ")} ${pair}`, ...targets].join(", ")
  return {
    id: idOf("alert", alert.id, alert.receivedAt),
    kind: "alert_received",
    at: alert.receivedAt,
    rule: "alert_received",
    text: `Alert ${alert.id} for signal ${alert.signalId}: ${message}.`,
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
