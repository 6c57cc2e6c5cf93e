// The hand-written loop that the back-test bench compares with: one strategy, all rules hard-wired.
import type { Columns } from "../../src/domain/candles/CandleFile.ts"

/** The rules that the bench switches on, as a hand-written loop would hard-wire them: one pair, spot, long. */
export interface Rules {
  readonly taker: number
  readonly buyShare: number
  readonly turn: number
  readonly minProfit: number
  readonly arm: number
  readonly trail: number
  readonly stop: number
  readonly dcaTrigger: number
  readonly dcaShare: number
  readonly dcaMost: number
  readonly dcaWaitMs: number
  readonly holdMs: number
  readonly balanceUp: number
  readonly balanceDown: number
  readonly coolMs: number
  readonly amountStep: number
}

export interface HandTrade {
  readonly openedAt: number
  readonly closedAt: number
  readonly exitPrice: number
  readonly quantity: number
  readonly pnl: number
  readonly reason: string
}

/**
 * A fast loop as one would write it for this strategy alone: doubles, local variables, no other state, a look at every
 * candle, and a closer look at those that reach a level. It decides as the engine does.
 */
export const handwritten = (
  c: Columns,
  alertAt: Float64Array,
  r: Rules,
  balance: number
): Array<HandTrade> => {
  const { at, close, high, low, open } = c
  const trades: Array<HandTrade> = []
  let cash = balance
  let baseline = balance
  let coolUntil = 0
  let k = 0
  let holding = false
  let armedBuy = false
  let best = 0
  let q = 0
  let notional = 0
  let cost = 0
  let first = 0
  let last = 0
  let entries = 0
  let peak = 0
  let armed = false
  let stopLevel = 0
  let armLevel = 0
  let gateLevel = 0
  let dcaLevel = 0
  let upLevel = 0
  let downLevel = 0

  const levels = () => {
    const average = notional / q
    stopLevel = average * (1 - r.stop)
    dcaLevel = entries <= r.dcaMost ? average * (1 - r.dcaTrigger) : 0
    armLevel = (cost * (1 + r.arm)) / (q * (1 - r.taker))
    gateLevel = (cost * (1 + r.minProfit)) / (q * (1 - r.taker))
    upLevel = (baseline * (1 + r.balanceUp) - cash) / (q * (1 - r.taker))
    downLevel = (baseline * (1 - r.balanceDown) - cash) / (q * (1 - r.taker))
  }
  const size = (want: number, p: number) =>
    Math.floor(Math.min(want, cash / (1 + r.taker)) / p / r.amountStep + 1e-7) * r.amountStep
  const enter = (amount: number, p: number, t: number) => {
    const n = amount * p
    const fee = n * r.taker
    cash -= n + fee
    if (!holding) {
      q = notional = cost = entries = 0
      first = t
      armed = false
    }
    holding = true
    q += amount
    notional += n
    cost += n + fee
    last = t
    entries++
    levels()
    if (armed && p < armLevel) armed = false
  }
  const leave = (p: number, t: number, reason: string) => {
    const back = q * p * (1 - r.taker)
    cash += back
    holding = false
    trades.push({ openedAt: first, closedAt: t, exitPrice: p, quantity: q, pnl: back - cost, reason })
  }
  const rebase = (t: number) => {
    baseline = cash
    coolUntil = t + r.coolMs
  }
  const checkFlat = (t: number) => {
    if (t < coolUntil) return
    if (cash <= baseline * (1 - r.balanceDown) || cash >= baseline * (1 + r.balanceUp)) {
      armedBuy = false
      rebase(t)
    }
  }
  /** Applies all rules at one price; true if one acted. */
  const at1 = (p: number, t: number, entriesToo: boolean): boolean => {
    if (!holding) {
      if (!armedBuy || !entriesToo) return false
      if (p < best * (1 + r.turn) * (1 - 1e-12)) return false
      armedBuy = false
      const amount = size(cash * r.buyShare, p)
      if (amount > 0) enter(amount, p, t)
      return true
    }
    const up = p * (1 + 1e-12)
    const down = p * (1 - 1e-12)
    if (t >= coolUntil && down <= downLevel) {
      leave(p, t, "balance_stop_loss")
      rebase(t)
      return true
    }
    if (down <= stopLevel) {
      leave(p, t, "stop_loss")
      checkFlat(t)
      return true
    }
    if (t >= coolUntil && up >= upLevel) {
      leave(p, t, "balance_take_profit")
      rebase(t)
      return true
    }
    if (t >= first + r.holdMs) {
      leave(p, t, "auto_close")
      checkFlat(t)
      return true
    }
    if (!armed && up >= armLevel) {
      armed = true
      peak = p
    }
    if (armed) {
      if (p > peak) peak = p
      if (down <= peak * (1 - r.trail) && up >= gateLevel) {
        leave(p, t, "trailing_sell")
        checkFlat(t)
        return true
      }
    }
    if (entriesToo && t >= coolUntil && t > last && t >= last + r.dcaWaitMs && down <= dcaLevel) {
      const amount = size(cost * r.dcaShare, p)
      if (amount > 0) enter(amount, p, t)
      else dcaLevel = 0
      return true
    }
    return false
  }
  const leg = (from: number, to: number, t: number): void => {
    let p = from
    for (;;) {
      let next = to
      if (to > p) {
        if (holding) {
          if (!armed && armLevel > p * (1 + 1e-12) && armLevel < next) next = armLevel
          if (t >= coolUntil && upLevel > p * (1 + 1e-12) && upLevel < next) next = upLevel
          const trail = peak * (1 - r.trail)
          if (armed && trail >= gateLevel && gateLevel > p * (1 + 1e-12) && gateLevel < next) next = gateLevel
        } else if (armedBuy) {
          const turn = best * (1 + r.turn)
          if (turn > p && turn < next) next = turn
        }
      } else if (holding) {
        const trail = peak * (1 - r.trail)
        if (stopLevel < p * (1 - 1e-12) && stopLevel > next) next = stopLevel
        if (t >= coolUntil && downLevel < p * (1 - 1e-12) && downLevel > next) next = downLevel
        if (armed && trail >= gateLevel && trail < p * (1 - 1e-12) && trail > next) next = trail
        const averages = t >= coolUntil && t > last && t >= last + r.dcaWaitMs
        if (averages && dcaLevel < p * (1 - 1e-12) && dcaLevel > next) next = dcaLevel
      }
      p = next
      if (armedBuy && !holding && p < best) best = p
      if (holding && armed && p > peak) peak = p
      while (at1(p, t, true));
      if (p === to || (!holding && !armedBuy)) return
    }
  }
  const walk = (i: number) => {
    const t = at[i] ?? 0
    const o = open[i] ?? 0
    const h = high[i] ?? 0
    const l = low[i] ?? 0
    if (armedBuy && o < best) best = o
    while (at1(o, t, false));
    while (k < alertAt.length && (alertAt[k] ?? 0) <= t) {
      k++
      if (!holding && !armedBuy && t >= coolUntil && size(cash * r.buyShare, o) > 0) {
        armedBuy = true
        best = o
      }
    }
    while (at1(o, t, true));
    if (!holding && !armedBuy) return
    if (holding) {
      leg(o, l, t)
      if (holding || armedBuy) leg(l, h, t)
    } else {
      leg(o, h, t)
      if (holding || armedBuy) leg(h, l, t)
      if (holding || armedBuy) leg(l, close[i] ?? 0, t)
      return
    }
    if (holding || armedBuy) leg(h, close[i] ?? 0, t)
  }

  for (let i = 0; i < c.length; i++) {
    const t = at[i] ?? 0
    if ((alertAt[k] ?? Number.POSITIVE_INFINITY) <= t) {
      walk(i)
      continue
    }
    if (holding) {
      const o = open[i] ?? 0
      const h = high[i] ?? 0
      const l = low[i] ?? 0
      const cool = t >= coolUntil
      let reached = l <= stopLevel * (1 + 1e-12) || t >= first + r.holdMs
      reached ||= cool && (l <= downLevel * (1 + 1e-12) || h >= upLevel * (1 - 1e-12))
      reached ||= cool && t >= last + r.dcaWaitMs && l <= dcaLevel * (1 + 1e-12)
      if (!reached && armed) {
        const before = Math.max(o, peak)
        const after = Math.max(h, before)
        const keep = 1 - r.trail + 1e-12
        reached =
          (l <= before * keep && before * keep >= gateLevel) ||
          ((close[i] ?? 0) <= after * keep && after * keep >= gateLevel)
        if (!reached) peak = after
      } else reached ||= h >= armLevel * (1 - 1e-12)
      if (reached) walk(i)
    } else if (armedBuy) {
      const before = Math.min(open[i] ?? 0, best)
      const after = Math.min(low[i] ?? 0, before)
      const turn = 1 + r.turn - 1e-12
      if ((high[i] ?? 0) >= before * turn || (close[i] ?? 0) >= after * turn) walk(i)
      else best = after
    }
  }
  return trades
}
