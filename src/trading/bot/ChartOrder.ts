// The sequence in which a chart's messages are acted on. Messages of one bar may overtake each other: one that does not fit
// the position stated last waits a little for the one that belongs between, and is then acted on as it stands.
import { type Alert, type ChartPosition, extrasOf } from "../../domain/Alert.ts"
import type { BotState, ChartMemory } from "../../domain/Bot.ts"
import { meaningOf } from "../Routing.ts"

/** How long a message waits for the one that belongs before it, and for how long a stated position counts (ms). */
export const WAIT_MS = 2000
export const RECENT_MS = 60_000

/** The most messages that wait on one market of a signal: the next one is acted on as it stands. */
const MAX_WAITING = 16
/** The most markets remembered. */
const MAX_CHARTS = 256

/** A message of a chart, and since when it is held (ms); absent where it has just arrived. */
export interface Message {
  readonly alert: Alert
  readonly since?: number | undefined
}

/** Whether a message waits; `charts` is what the bot remembers from then on, absent where nothing changes. */
export interface Gate {
  readonly waits: boolean
  readonly charts?: Charts
}

/** What a bot remembers of charts, by `keyOf`. */
export type Charts = NonNullable<BotState["charts"]>

/** Names the chart of a message: its signal, pair and kind of market. */
export const keyOf = ({ coin, quoteCurrency, signalId, type }: Alert): string =>
  `${signalId} ${coin}/${quoteCurrency} ${meaningOf(type).kind}`

/**
 * Judges whether a message waits. `isHeld` says which alerts the bot still holds. A held message that does not wait here
 * has been let through before, and changes nothing.
 */
export const judge = (
  { charts = {} }: Pick<BotState, "charts">,
  { alert, since }: Message,
  now: number,
  isHeld: (id: number) => boolean
): Gate => {
  const { stated } = extrasOf(alert)
  if (stated === undefined) return PASSED
  const key = keyOf(alert)
  const known = charts[key]
  const waiting = (known?.waiting ?? []).filter(isHeld)
  if (since !== undefined && !waiting.includes(alert.id)) return PASSED
  if (since !== undefined && isBehindHeld(known, alert, isHeld)) return { waits: true }
  if (fits(known, alert) || (since !== undefined && now - since >= WAIT_MS))
    return { waits: false, charts: withMemory(charts, key, passed(known, alert, waiting), now) }
  if (since !== undefined) return { waits: true }
  if (known === undefined || waiting.length >= MAX_WAITING)
    return { waits: false, charts: withMemory(charts, key, passed(known, alert, waiting), now) }
  return { waits: true, charts: { ...charts, [key]: { ...known, waiting: [...waiting, alert.id] } } }
}

/** Whether the message that belongs before this one came later and waits itself, say for a price. */
const isBehindHeld = (
  known: ChartMemory | undefined,
  alert: Alert,
  isHeld: (id: number) => boolean
): boolean => known !== undefined && known.by > alert.id && isHeld(known.by) && fits(known, alert)

const PASSED: Gate = { waits: false }

/** Whether a message begins where the last one ended, as far as both say. */
const fits = (known: ChartMemory | undefined, { receivedAt, stated }: Alert): boolean =>
  known === undefined ||
  stated?.before === undefined ||
  receivedAt - known.at > RECENT_MS ||
  isSame(stated.before, known.held)

/** Charts count in doubles: sizes that differ by less than this part of the larger are the same. */
const TOLERANCE = 1e-9

const isSame = (one: ChartPosition, other: ChartPosition): boolean => {
  if (one.side !== other.side) return false
  if (one.size === undefined || other.size === undefined) return true
  return Math.abs(one.size - other.size) <= TOLERANCE * Math.max(one.size, other.size)
}

const passed = (
  known: ChartMemory | undefined,
  { id, receivedAt, stated }: Alert,
  waiting: ReadonlyArray<number>
): ChartMemory => {
  const left = waiting.filter((one) => one !== id)
  return {
    held: stated?.after ?? { side: "flat" },
    at: Math.max(known?.at ?? 0, receivedAt),
    by: Math.max(known?.by ?? 0, id),
    ...(left.length === 0 ? {} : { waiting: left })
  }
}

/**
 * The place of a message that was let through (`BotAlert.place`): behind all messages of its chart that were let through
 * before, because it acts on what they opened. Undefined where that is its own id.
 */
export const placeOf = ({ charts }: Pick<BotState, "charts">, alert: Alert): number | undefined => {
  const by = alert.stated === undefined ? undefined : charts?.[keyOf(alert)]?.by
  return by === undefined || by <= alert.id ? undefined : by + 1
}

/** What is too old to count, and that nothing waits for, is forgotten; so are the oldest beyond the bound. */
const withMemory = (charts: Charts, key: string, memory: ChartMemory, now: number): Charts => {
  const others = Object.entries(charts).filter(
    ([other, { at, waiting }]) => other !== key && (waiting !== undefined || now - at <= RECENT_MS)
  )
  return Object.fromEntries([...others.slice(1 - MAX_CHARTS), [key, memory]])
}

/** The messages that wait, of one chart or of all. */
export const waitingIn = ({ charts }: Pick<BotState, "charts">, key?: string): ReadonlyArray<number> => {
  if (charts === undefined) return NONE
  if (key !== undefined) return charts[key]?.waiting ?? NONE
  return Object.values(charts).flatMap(({ waiting }) => waiting ?? NONE)
}

const NONE: ReadonlyArray<number> = []

/** Whether a message that waits has its turn now, since the last stated position fits it. */
export const isNext = ({ charts }: Pick<BotState, "charts">, alert: Alert): boolean =>
  fits(charts?.[keyOf(alert)], alert)
