import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import type { TimedAlert } from "../../src/trading/Backtest.ts"

/**
 * A second engine, written from the rules of the guide (src/guide/rules.md) alone: doubles for money, every candle
 * walked in full, no windows, no shared code. Slow and plain; the engine must agree with it trade for trade.
 */
export interface OracleTrade {
  readonly pair: string

  readonly kind: "spot" | "swap"
  readonly side: "long" | "short"
  readonly openedAt: number
  readonly closedAt: number
  readonly entryPrice: number
  readonly exitPrice: number
  readonly quantity: number
  readonly cost: number
  readonly proceeds: number
  readonly reason: string
  readonly entries: number
}

export interface OracleMarket {
  readonly priceStep: number
  readonly amountStep: number
  readonly minAmount: number
  readonly minCost: number
  readonly maker: number
  readonly taker: number
}

interface Held {
  side: "long" | "short"
  q: number
  n: number
  fees: number
  first: number
  last: number
  entries: number
  tp: number | undefined
  sl: number | undefined
  peak: number | undefined
  skip: number | undefined
}
interface Armed {
  side: "long" | "short"
  best: number
  tp: number | undefined
  sl: number | undefined
}
interface Place {
  readonly n: number

  kind: "spot" | "swap"
  held: Held | undefined
  armed: Armed | undefined
}

const T = 1e-12
const ge = (a: number, b: number) => a >= b - Math.abs(b) * T
const le = (a: number, b: number) => a <= b + Math.abs(b) * T

export interface OracleSeries {
  readonly pair: string
  readonly columns: Columns
}

export const oracle = (
  s: Settings,
  files: ReadonlyArray<OracleSeries>,
  alerts: ReadonlyArray<TimedAlert>,
  m: OracleMarket,
  balance: number
) => {
  const listed = s.exchanges.flatMap(({ pairs }): ReadonlyArray<string> => pairs)
  const series = [...files].sort((x, y) => listed.indexOf(x.pair) - listed.indexOf(y.pair))
  let cash = balance
  let baseline = balance
  let tpUntil = 0
  let slUntil = 0
  let ambiguous = 0
  const trades: Array<OracleTrade> = []
  const places: ReadonlyArray<Place> = series.flatMap(
    (_, n): ReadonlyArray<Place> => [
      { n, kind: "spot", held: undefined, armed: undefined },
      { n, kind: "swap", held: undefined, armed: undefined }
    ]
  )
  /** The last point seen of each pair. */
  const px = series.map(() => Number.NaN)
  const priceOf = (place: Place) => px[place.n] ?? Number.NaN
  const at = (a: Float64Array, i: number) => a[i] ?? Number.NaN

  const costOf = (h: Held) => h.n + h.fees
  const average = (h: Held) => h.n / h.q
  const closeValue = (h: Held, p: number, f: number) =>
    h.side === "long" ? h.q * p * (1 - f) : h.n + (h.n - h.q * p) - h.q * p * f
  const priceOfProfit = (h: Held, pct: number, f: number) => {
    const want = costOf(h) * (1 + pct / 100)
    return h.side === "long" ? want / (h.q * (1 - f)) : (2 * h.n - want) / (h.q * (1 + f))
  }
  const rest = (p: number, side: "long" | "short") => {
    const k = p / m.priceStep
    const r = Math.round(k)
    if (Math.abs(k - r) <= Math.abs(k) * T) return r * m.priceStep
    return (side === "long" ? Math.ceil(k) : Math.floor(k)) * m.priceStep
  }
  const sum = (f: number) =>
    places.reduce((e, at) => e + (at.held ? closeValue(at.held, priceOf(at), f) : 0), cash)
  const cooling = (t: number) => t < Math.max(tpUntil, slUntil)

  const size = (want: number, p: number) => {
    const notional = Math.min(want, cash / (1 + m.taker))
    const q = Math.floor(notional / p / m.amountStep + 1e-7) * m.amountStep
    return q > 0 && q >= m.minAmount - 1e-15 && q * p >= m.minCost - 1e-12 ? q : 0
  }
  const buy = (
    place: Place,
    side: "long" | "short",
    q: number,
    p: number,
    t: number,
    tp?: number,
    sl?: number
  ) => {
    const n = q * p
    const fee = n * m.taker
    cash -= n + fee
    const h = place.held
    if (h === undefined) {
      place.held = {
        side,
        q,
        n,
        fees: fee,
        first: t,
        last: t,
        entries: 1,
        tp,
        sl,
        peak: undefined,
        skip: undefined
      }
      return
    }
    h.q += q
    h.n += n
    h.fees += fee
    h.last = t
    h.entries++
    h.skip = undefined
    if (h.peak !== undefined && s.trailingSell) {
      const arm = priceOfProfit(h, s.trailingSell.armPercent, m.taker)
      if (h.side === "long" ? !ge(p, arm) : !le(p, arm)) h.peak = undefined
    }
  }
  const sell = (place: Place, p: number, t: number, reason: string) => {
    const h = place.held
    if (!h) return
    const maker = reason === "tp" || reason === "take_profit"
    const proceeds = reason === "liquidation" ? 0 : closeValue(h, p, maker ? m.maker : m.taker)
    cash += proceeds
    place.held = undefined
    trades.push({
      pair: series[place.n]?.pair ?? "",
      kind: place.kind,
      side: h.side,
      openedAt: h.first,
      closedAt: t,
      entryPrice: average(h),
      exitPrice: p,
      quantity: h.q,
      cost: costOf(h),
      proceeds,
      reason,
      entries: h.entries
    })
  }

  /** Prices at which equity after exit fees meets a balance rule, as a test on a price. */
  const balanceLevel = (n: number, equity: number) => {
    let fixed = cash
    let slope = 0
    for (const place of places) {
      const h = place.held
      if (!h) continue
      if (place.n !== n) {
        fixed += closeValue(h, priceOf(place), m.taker)
        continue
      }
      if (h.side === "long") slope += h.q * (1 - m.taker)
      else {
        fixed += 2 * h.n
        slope -= h.q * (1 + m.taker)
      }
    }
    return { fixed, slope, level: slope === 0 ? Number.NaN : (equity - fixed) / slope }
  }
  const balanceMet = (rule: "sl" | "tp", n: number, p: number, t: number) => {
    const settings = rule === "sl" ? s.balanceStopLoss : s.balanceTakeProfit
    if (!settings || !(baseline > 0) || t < (rule === "sl" ? slUntil : tpUntil)) return false
    const equity = baseline * (1 + (rule === "sl" ? -settings.triggerPercent : settings.triggerPercent) / 100)
    const { fixed, level, slope } = balanceLevel(n, equity)
    if (slope === 0) return rule === "sl" ? le(fixed, equity) : ge(fixed, equity)
    return slope > 0 === (rule === "sl") ? le(p, level) : ge(p, level)
  }
  const fireBalance = (rule: "sl" | "tp", t: number) => {
    for (const place of places) place.armed = undefined
    for (const place of places) {
      const reason = rule === "sl" ? "balance_stop_loss" : "balance_take_profit"
      const h = place.held
      if (!h) continue
      sell(place, priceOf(place), t, reason)
    }
    baseline = cash
    if (rule === "sl") slUntil = t + (s.balanceStopLoss?.cooldownMinutes ?? 0) * 60_000
    else tpUntil = t + (s.balanceTakeProfit?.cooldownMinutes ?? 0) * 60_000
  }

  const stopOf = (h: Held) =>
    h.sl ??
    (s.stopLoss ? average(h) * (1 + ((h.side === "long" ? -1 : 1) * s.stopLoss.percent) / 100) : undefined)
  const targetOf = (h: Held) => {
    if (h.tp !== undefined) return rest(h.tp, h.side)
    if (s.minProfitPercent === undefined || s.trailingSell) return undefined
    const level = rest(priceOfProfit(h, s.minProfitPercent, m.maker), h.side)
    return level > 0 ? level : undefined
  }
  const trailOf = (h: Held) =>
    h.peak === undefined || !s.trailingSell
      ? undefined
      : h.peak * (1 + ((h.side === "long" ? -1 : 1) * s.trailingSell.percent) / 100)
  const gateOf = (h: Held) =>
    s.minProfitPercent === undefined ? undefined : priceOfProfit(h, s.minProfitPercent, m.taker)
  const worse = (side: "long" | "short", p: number, l: number) => (side === "long" ? le(p, l) : ge(p, l))
  const better = (side: "long" | "short", p: number, l: number) => (side === "long" ? ge(p, l) : le(p, l))

  const follow = (place: Place, p: number) => {
    const { armed, held } = place
    if (held?.peak !== undefined)
      held.peak = held.side === "long" ? Math.max(held.peak, p) : Math.min(held.peak, p)
    if (armed) armed.best = armed.side === "long" ? Math.min(armed.best, p) : Math.max(armed.best, p)
  }
  const isLost = (place: Place) => {
    const h = place.held
    return !!h && place.kind === "swap" && h.side === "short" && ge(priceOf(place), (2 * h.n) / h.q)
  }
  /** A rule that holds: its place in the order of one event, and what it does. */
  type Holds = { readonly order: number; readonly act: () => void } | undefined
  const balanceHolds = (rule: "sl" | "tp", order: number, t: number): Holds => ({
    order,
    act: () => {
      // Liquidation comes before it over all slots; then the rule is asked again.
      const lost = places.find(isLost)
      if (lost) sell(lost, priceOf(lost), t, "liquidation")
      else fireBalance(rule, t)
    }
  })
  const exitThatHolds = (place: Place, p: number, t: number): Holds => {
    const h = place.held
    if (h && isLost(place)) return { order: 0, act: () => sell(place, p, t, "liquidation") }
    if (balanceMet("sl", place.n, p, t)) return balanceHolds("sl", 1, t)
    const stop = h && stopOf(h)
    if (h && stop !== undefined && worse(h.side, p, stop))
      return { order: 2, act: () => sell(place, p, t, h.sl === undefined ? "stop_loss" : "sl") }
    if (balanceMet("tp", place.n, p, t)) return balanceHolds("tp", 3, t)
    if (!h) return undefined
    const target = targetOf(h)
    const atTarget = () => (h.side === "long" ? Math.max(p, target ?? p) : Math.min(p, target ?? p))
    if (h.tp !== undefined && target !== undefined && better(h.side, p, target))
      return { order: 4, act: () => sell(place, atTarget(), t, "tp") }
    if (s.autoClose && t >= h.first + s.autoClose.minutes * 60_000)
      return { order: 5, act: () => sell(place, p, t, "auto_close") }
    if (s.trailingSell && h.tp === undefined) {
      if (h.peak === undefined) {
        return better(h.side, p, priceOfProfit(h, s.trailingSell.armPercent, m.taker))
          ? {
              order: 6,
              act: () => {
                h.peak = p
              }
            }
          : undefined
      }
      const trail = trailOf(h)
      const gate = gateOf(h)
      if (trail !== undefined && worse(h.side, p, trail) && (gate === undefined || better(h.side, p, gate)))
        return { order: 6, act: () => sell(place, p, t, "trailing_sell") }
    } else if (h.tp === undefined && target !== undefined && better(h.side, p, target)) {
      return { order: 7, act: () => sell(place, atTarget(), t, "take_profit") }
    }
    return undefined
  }
  const dcaLevel = (h: Held, t: number) => {
    const d = s.dca
    if (!d || !s.active || cooling(t) || h.entries - 1 >= d.maxRetries) return undefined
    if (t <= h.last || t < h.last + d.waitMinutes * 60_000) return undefined
    if (h.skip !== undefined && !(cash > h.skip)) return undefined
    return average(h) * (1 + ((h.side === "long" ? -1 : 1) * d.triggerPercent) / 100)
  }
  const turnLevel = (a: Armed) =>
    a.best * (1 + ((a.side === "long" ? 1 : -1) * (s.trailingBuy?.percent ?? 0)) / 100)
  const fits = (side: "long" | "short", p: number, tp?: number, sl?: number) =>
    side === "long"
      ? (tp === undefined || !le(tp, p)) && (sl === undefined || !ge(sl, p))
      : (tp === undefined || !ge(tp, p)) && (sl === undefined || !le(sl, p))
  const wanted = () => (sum(0) * s.buyPercent) / 100
  const entryThatHolds = (place: Place, p: number, t: number): Holds => {
    const { armed, held } = place
    if (held) {
      const level = dcaLevel(held, t)
      if (level === undefined || !worse(held.side, p, level)) return undefined
      return {
        order: 8,
        act: () => {
          const q = size((costOf(held) * (s.dca?.orderSizePercent ?? 0)) / 100, p)
          if (q === 0) held.skip = cash
          else buy(place, held.side, q, p, t)
        }
      }
    }
    if (!armed || !better(armed.side, p, turnLevel(armed))) return undefined
    return {
      order: 9,
      act: () => {
        place.armed = undefined
        const q = fits(armed.side, p, armed.tp, armed.sl) ? size(wanted(), p) : 0
        if (q > 0) buy(place, armed.side, q, p, t, armed.tp, armed.sl)
      }
    }
  }
  /** Each rule over all these places before the next; after each the list begins anew. */
  const settle = (own: ReadonlyArray<Place>, p: number, t: number, isAll: boolean) => {
    for (;;) {
      const holding = own.flatMap((place) => {
        const first = exitThatHolds(place, p, t) ?? (isAll ? entryThatHolds(place, p, t) : undefined)
        return first ? [first] : []
      })
      const [first] = holding.sort((x, y) => x.order - y.order)
      if (!first) return
      first.act()
    }
  }
  const settleTogether = (n: number, p: number, t: number, isAll: boolean) => {
    px[n] = p
    const own = places.filter((each) => each.n === n && (each.held || each.armed))
    for (const place of own) follow(place, p)
    settle(own, p, t, isAll)
  }
  const settleAll = (place: Place, p: number, t: number) => {
    px[place.n] = p
    follow(place, p)
    settle([place], p, t, true)
  }

  const onAlert = (a: TimedAlert, n: number, p: number, t: number): string => {
    const place = places[2 * n + (a.type === "buy" || a.type === "sell" ? 0 : 1)]
    if (place === undefined) return "no_price"
    const side = a.type === "short" || a.type === "close_short" ? "short" : "long"
    const h = place.held
    if (a.type === "sell" || a.type === "close_long" || a.type === "close_short") {
      if (place.armed?.side === side) {
        place.armed = undefined
        return ""
      }
      if (h?.side !== side) return "no_position"
      const gate = gateOf(h)
      const free = h.tp !== undefined || s.signalIgnoresMinProfit || gate === undefined
      if (!free && !better(side, p, gate)) return "below_min_profit"
      sell(place, p, t, "signal")
      return ""
    }
    if (!s.active) return "strategy_inactive"
    if (h) {
      if (h.side !== side) return "opposite_position"
      if (a.tp === undefined && a.sl === undefined) return "already_open"
      if (!fits(side, p, a.tp, a.sl)) return "bad_target"
      if (a.tp !== undefined) {
        h.tp = a.tp
        h.peak = undefined
      }
      if (a.sl !== undefined) h.sl = a.sl
      return ""
    }
    if (place.armed) return place.armed.side === side ? "pending_entry" : "opposite_position"
    if (cooling(t)) return "cooldown"
    if (s.buyPercent === 0) return "zero_buy_percentage"
    if (!fits(side, p, a.tp, a.sl)) return "bad_target"
    if (!(cash > 0)) return "insufficient_balance"
    const q = size(wanted(), p)
    if (q === 0) return "below_min_notional"
    if (s.trailingBuy) place.armed = { side, best: p, tp: a.tp, sl: a.sl }
    else buy(place, side, q, p, t, a.tp, a.sl)
    return ""
  }

  const walkSlot = (
    place: Place,
    points: ReadonlyArray<number>,
    t: number,
    low: number,
    high: number
  ): boolean => {
    let p = points[0] ?? 0
    let mixed = false
    if (place.held) {
      const h = place.held
      const within = (l: number | undefined) => l !== undefined && ge(l, low) && le(l, high)
      const liquidation = place.kind === "swap" && h.side === "short" ? (2 * h.n) / h.q : undefined
      mixed = (within(stopOf(h)) || within(liquidation)) && within(targetOf(h))
    }
    // A slot that has emptied walks on where its price values another.
    const over = () =>
      !place.held && !place.armed && !places.some((other) => other.n === place.n && other.held)
    settleAll(place, p, t)
    for (const goal of points.slice(1)) {
      for (;;) {
        const up = goal > p
        const next = levels(place, p, t)
          .filter((l) => (up ? !ge(p, l) && ge(goal, l) : !le(p, l) && le(goal, l)))
          .sort((a, b) => (up ? a - b : b - a))[0]
        p = next ?? goal
        settleAll(place, p, t)
        if (next === undefined || over()) break
      }
      if (over()) break
    }
    return mixed
  }
  const levels = (place: Place, p: number, t: number): ReadonlyArray<number> => {
    const out: Array<number | undefined> = []
    const h = place.held
    if (s.balanceStopLoss && t >= slUntil)
      out.push(balanceLevel(place.n, baseline * (1 - s.balanceStopLoss.triggerPercent / 100)).level)
    if (s.balanceTakeProfit && t >= tpUntil)
      out.push(balanceLevel(place.n, baseline * (1 + s.balanceTakeProfit.triggerPercent / 100)).level)
    if (place.armed) out.push(turnLevel(place.armed))
    if (h) {
      if (place.kind === "swap" && h.side === "short") out.push((2 * h.n) / h.q)
      out.push(stopOf(h), targetOf(h), dcaLevel(h, t))
      if (s.trailingSell && h.tp === undefined) {
        if (h.peak === undefined) out.push(priceOfProfit(h, s.trailingSell.armPercent, m.taker))
        else {
          const trail = trailOf(h)
          const gate = gateOf(h)
          if (trail !== undefined && (gate === undefined || better(h.side, trail, gate))) {
            out.push(trail)
            if (gate !== undefined && !better(h.side, p, gate)) out.push(gate)
          }
        }
      }
    }
    return out.filter((l): l is number => l !== undefined && Number.isFinite(l))
  }

  const due = alerts.map((a, line) => ({ a, line })).sort((x, y) => x.a.at - y.a.at || x.line - y.line)
  const done = new Set<number>()
  const told: Array<{ rank: number; text: string }> = []
  const tell = (rank: number, text: string) => told.push({ rank, text })
  const rows = series
    .flatMap(({ columns }, n) =>
      Array.from({ length: columns.length }, (_, i) => ({ n, i, t: at(columns.at, i) }))
    )
    .sort((x, y) => x.t - y.t || x.n - y.n)
  for (const { i, n, t } of rows) {
    const one = series[n]
    if (one === undefined) continue
    const { columns, pair } = one
    const o = at(columns.open, i)
    const h = at(columns.high, i)
    const l = at(columns.low, i)
    const c = at(columns.close, i)
    settleTogether(n, o, t, false)
    for (const [rank, { a }] of due.entries()) {
      if (done.has(rank) || a.pair !== pair || a.at > t) continue
      done.add(rank)
      const reason = onAlert(a, n, o, t)
      if (reason) tell(rank, `${a.at} ${reason}`)
      settleTogether(n, o, t, false)
    }
    settleTogether(n, o, t, true)
    const own = places.filter((place) => place.n === n)
    const paths = own.map(({ armed, held }) => {
      const side = held?.side ?? armed?.side
      if (side === undefined) return undefined
      return (side === "long") === (held !== undefined) ? [o, l, h, c] : [o, h, l, c]
    })
    let mixed = false
    own.forEach((place, index) => {
      const path = paths[index]
      if (path && (place.held || place.armed || own.some((other) => other.held)))
        mixed = walkSlot(place, path, t, l, h) || mixed
    })
    if (mixed) ambiguous++
    px[n] = c
  }
  for (const [rank, { a }] of due.entries()) {
    if (done.has(rank)) continue
    const entry = a.type === "buy" || a.type === "long" || a.type === "short"
    tell(rank, `${a.at} ${entry && !s.active ? "strategy_inactive" : "no_price"}`)
  }
  const ignored = told.sort((x, y) => x.rank - y.rank).map(({ text }) => text)
  return { trades, ignored, ambiguous, cash }
}
