// The invariants J1 to J4: what must have become of answered alerts.
import { marketKey, Pair } from "../../src/domain/Market.ts"
import { DEFAULTS } from "../../src/services/engine/EngineLimits.ts"
import type { Books } from "./Books.ts"
import type { Neighbours } from "./Neighbours.ts"
import type { World } from "./World.ts"

/** An alert that a strategy acted on, with its stop. */
interface Acted {
  readonly id: number
  readonly strategy: number
  readonly coin: string
  readonly quote: string
  readonly type: string
  readonly sl: number
  readonly at: number
}

/** An account's day. */
interface Spent {
  readonly account: number
  readonly judged: number
  readonly ignored: number
  readonly entries: number
}

export class AlertChecks {
  readonly #world: World
  readonly #books: Books
  readonly #neighbours: Neighbours

  constructor(world: World, books: Books, neighbours: Neighbours) {
    this.#world = world
    this.#books = books
    this.#neighbours = neighbours
  }

  /** What must hold after a long calm. */
  finally(): void {
    this.#asTheyStood()
    this.#oneAfterTheOther()
    this.#lastStop()
    this.#quota()
  }

  /**
   * J4: of each account's outcomes of a day the first ones are judged, and exactly so many: beyond, entries are ignored.
   * An entry that should turn still closes the other side, and opens nothing: its reason is `closed`.
   */
  #quota(): void {
    const { bounds, disk } = this.#world
    if (bounds.outcomesPerDay === DEFAULTS.outcomesPerDay) return
    const [wrong] = disk.rows<Spent>(
      `SELECT * FROM (
         SELECT outcomes.account AS account, outcomes.at / 86400000 AS day,
           count(*) FILTER (WHERE reason <> 'too_many') AS judged,
           count(*) FILTER (WHERE reason = 'too_many') AS ignored,
           count(*) FILTER (WHERE reason NOT IN ('too_many', 'closed') AND type IN ('buy', 'long', 'short')) AS entries
         FROM outcomes JOIN alerts ON alerts.id = alert_id GROUP BY 1, 2
       ) AS days
       WHERE entries > ${bounds.outcomesPerDay} OR (ignored > 0 AND judged < ${bounds.outcomesPerDay})`
    )
    if (wrong !== undefined)
      this.#world.fail(
        "J4",
        `of account ${wrong.account} ${wrong.entries} entries and ${wrong.judged} alerts were judged on a day, ${wrong.ignored} were not: the bound is ${bounds.outcomesPerDay}`
      )
  }

  /**
   * J1: an alert has one outcome for each strategy that followed when it was answered, and none for later followers.
   */
  #asTheyStood(): void {
    for (const { alert, followed, later } of this.#neighbours.comers.expected) {
      const outcomes = (strategy: number) =>
        this.#books.count("outcomes WHERE alert_id = ? AND strategy_id = ?", alert, strategy)
      for (const id of followed)
        if (outcomes(id) !== 1)
          return this.#world.fail("J1", `alert ${alert} has no outcome for strategy ${id}, which followed`)
      for (const id of later)
        if (outcomes(id) !== 0)
          return this.#world.fail(
            "J1",
            `alert ${alert} has an outcome for strategy ${id}, which followed later`
          )
    }
  }

  /** J2: an entry that waited behind an earlier entry is judged only after that one's order has ended. */
  #oneAfterTheOther(): void {
    const [wrong] = this.#world.disk.rows<{ id: number; first: number; strategy: number }>(
      `SELECT second.alert_id AS id, first.alert_id AS first, second.strategy_id AS strategy
       FROM outcomes AS second
       JOIN sim_waits AS waited ON waited.alert = second.alert_id AND waited.strategy = second.strategy_id
       JOIN outcomes AS first ON first.strategy_id = second.strategy_id
         AND first.alert_id < second.alert_id AND first.reason = 'opened' AND first.at >= waited.since
       JOIN sim_waits AS beside ON beside.alert = first.alert_id AND beside.strategy = first.strategy_id
       JOIN alerts AS one ON one.id = first.alert_id
       JOIN alerts AS other ON other.id = second.alert_id AND other.coin = one.coin
         AND other.quote = one.quote AND other.type = one.type
       WHERE second.reason = 'pending_entry' AND second.at = first.at`
    )
    if (wrong !== undefined)
      this.#world.fail(
        "J2",
        `alerts ${wrong.first} and ${wrong.id} waited for a price, and strategy ${wrong.strategy} dropped the second as pending_entry`
      )
  }

  /** J3: a position has the stop of the last alert that opened it or set one, unless its owner has set another since. */
  #lastStop(): void {
    const acted = this.#world.disk.rows<Acted>(
      `SELECT alerts.id, strategy_id AS strategy, coin, quote, type, sl, outcomes.at FROM outcomes
       JOIN alerts ON alerts.id = outcomes.alert_id
       WHERE sl IS NOT NULL AND reason IN ('opened', 'added', 'turned', 'trailing_buy_armed', 'targets_updated')
       ORDER BY alerts.id`
    )
    const last = new Map<string, Acted>()
    for (const alert of acted) last.set(`${alert.strategy} ${keyOf(alert)}`, alert)
    for (const { state, strategy } of this.#books.bots())
      for (const [key, { position }] of Object.entries(state.slots)) {
        const alert = last.get(`${strategy} ${key}`)
        if (position === undefined || alert === undefined || alert.id < position.openedBy) continue
        if (position.sl !== alert.sl && !this.#isSetByHand(strategy, alert))
          this.#world.fail(
            "J3",
            `strategy ${strategy} holds ${key} with the stop ${position.sl}, and alert ${alert.id} said ${alert.sl}`
          )
      }
  }

  /** Whether the owner set targets for the alert's pair after the alert. */
  #isSetByHand(strategy: number, { at, coin, quote }: Acted): boolean {
    const text = `New targets by hand for ${coin}/${quote}:%`
    return (
      this.#books.count("timeline WHERE strategy_id = ? AND at >= ? AND text LIKE ?", strategy, at, text) > 0
    )
  }
}

const keyOf = ({ coin, quote, type }: Acted): string =>
  marketKey({
    exchange: "binance",
    pair: Pair.make(`${coin}/${quote}`),
    kind: type === "buy" || type === "sell" ? "spot" : "swap"
  })
