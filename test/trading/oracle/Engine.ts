// Candles in sequence: each is settled at its open with the alerts that fall due, then walked point by point.
import { onAlert } from "./Alerts.ts"
import type { Answer, Candle, Case, CaseAlert } from "./Case.ts"
import { isAmbiguous } from "./Levels.ts"
import { type Bot, botOf, ge, le, type Place } from "./Money.ts"
import { openRows } from "./Rows.ts"
import { levelsOf, settle } from "./Rules.ts"

export interface OracleAnswer extends Answer {
  /** Some amount lay so near a step or a minimum that doubles may round it to the other side. */
  readonly isFragile: boolean
}

/** Walks one place through a candle. */
const walk = (bot: Bot, place: Place, points: ReadonlyArray<number>, t: number): void => {
  const [open = 0, ...goals] = points
  let p = open
  const event = (price: number) => {
    p = price
    settle(bot, [place], { n: place.n, p, t, isAll: true })
  }
  // A slot that has emptied walks on where its price values another.
  const isOver = () =>
    !place.held && !place.armed && !bot.places.some((other) => other.n === place.n && other.held)
  event(open)
  for (const goal of goals) {
    while (!isOver()) {
      const up = goal > p
      const [next] = levelsOf(bot, place, p, t)
        .filter((level) => (up ? !ge(p, level) && ge(goal, level) : !le(p, level) && le(goal, level)))
        .sort((a, b) => (up ? a - b : b - a))
      event(next ?? goal)
      if (next === undefined) break
    }
  }
}

/** The four points in the sequence that is settled at the open. */
const pathOf = (place: Place, [, o, h, l, c]: Candle): ReadonlyArray<number> | undefined => {
  const side = place.held?.side ?? place.armed?.side
  if (side === undefined) return undefined
  return (side === "long") === (place.held !== undefined) ? [o, l, h, c] : [o, h, l, c]
}

/** Runs the case. */
export const oracle = (one: Case): OracleAnswer => {
  const bot = botOf(one)
  const due = one.alerts
    .map((alert, line) => ({ alert, line }))
    .sort((x, y) => x.alert.time - y.alert.time || x.line - y.line)
  const told: Array<string | undefined> = due.map(() => undefined)
  const rows = bot.pairs
    .flatMap((pair, n) =>
      (one.series.find((each) => each.pair === pair)?.candles ?? []).map((candle) => ({ n, pair, candle }))
    )
    .sort((x, y) => x.candle[0] - y.candle[0] || x.n - y.n)
  let ambiguous = 0
  for (const { candle, n, pair } of rows) {
    const [t, p] = candle
    const own = bot.places.filter((place) => place.n === n)
    settle(bot, own, { n, p, t, isAll: false })
    for (const [rank, { alert }] of due.entries()) {
      if (told[rank] !== undefined || alert.pair !== pair || alert.time > t) continue
      const place = own[isSpot(alert) ? 0 : 1]
      if (place) told[rank] = onAlert(bot, place, alert, { p, t })
      settle(bot, own, { n, p, t, isAll: false })
    }
    settle(bot, own, { n, p, t, isAll: true })
    const paths = own.map((place) => pathOf(place, candle))
    let mixed = false
    own.forEach((place, index) => {
      const path = paths[index]
      if (!path || !own.some((each) => each.held || (each === place && each.armed))) return
      mixed = isAmbiguous(bot, place, candle[3], candle[2]) || mixed
      walk(bot, place, path, t)
    })
    if (mixed) ambiguous++
    bot.px[n] = candle[4]
  }
  const ignored = due.flatMap(({ alert }, rank) => {
    const reason = told[rank] ?? unpriced(one, alert)
    return reason === "" ? [] : [{ time: alert.time, reason }]
  })
  return {
    trades: bot.trades,
    open: openRows(bot),
    ignored,
    ambiguous_candles: ambiguous,
    isFragile: bot.isFragile
  }
}

const isSpot = ({ type }: CaseAlert) => type === "buy" || type === "sell"
const isEntry = ({ type }: CaseAlert) => type === "buy" || type === "long" || type === "short"

/** An alert that no candle came for. */
const unpriced = (one: Case, alert: CaseAlert) =>
  isEntry(alert) && one.strategy.active === false ? "strategy_inactive" : "no_price"
