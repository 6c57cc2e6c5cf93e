// Scenarios as text: a row is what happens, and after the bar what comes of it.
import { expect } from "bun:test"
import { Effect, Option, Schema, TestClock } from "effect"
import type { AccountId } from "../../src/domain/Account.ts"
import { AlertType } from "../../src/domain/Alert.ts"
import type { MarketKind } from "../../src/domain/Market.ts"
import type { StrategyId } from "../../src/domain/StrategyId.ts"
import * as Memory from "../../src/Memory.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import { wordsOf } from "../../src/trading/ReasonWords.ts"
import { layer } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"

/** One row's words, and the user it is about. */
interface Row {
  readonly words: ReadonlyArray<string>
  readonly user: Effect.Effect.Success<ReturnType<typeof Flow.ann>>
}

const isAlert = Schema.is(AlertType)

/**
 * Ann follows her own signal with a strategy; `given` is what it asks for besides. Rows:
 *
 *   quote 100 [eth] [swap]   a price comes in (binance, BTC/USDT spot unless told)
 *   buy|sell|long|... [eth] [tp=..] [sl=..]   an alert; after the bar its outcome, or `waits`
 *   alert 2                  after the bar what became of the second alert
 *   wait 10s                 time goes by, the price stays as it is and grows old
 *   set field=value ...      new settings, in the request dialect
 *   because                  after the bar the reason of the last alert, as the timeline says it
 *   holds / trades           after the bar what the bot has; what it traded last
 */
export const scenario = (name: string, given: Flow.Body, table: string): void =>
  layer(Memory.layer()).effect(name, () =>
    Effect.gen(function* () {
      const user = yield* Flow.ann(given)
      for (const line of table.trim().split("\n")) {
        const [act = "", expected = ""] = line.split("|").map((part) => part.trim())
        const found = yield* happen({ words: act.split(/\s+/), user })
        if (expected !== "") expect(`${act} | ${found}`).toBe(`${act} | ${expected}`)
      }
    })
  )

const happen = ({ user, words }: Row) =>
  Effect.gen(function* () {
    const [verb = "", first = ""] = words
    const { account, identity, signal, strategy } = user
    const kind: MarketKind = words.includes("swap") ? "swap" : "spot"
    const pair = words.includes("eth") ? "ETH/USDT" : (words.find((word) => word.includes("/")) ?? "BTC/USDT")
    if (isAlert(verb)) {
      const saying = { pair, ...numbersOf(words) }
      // The test alert comes first: its answer must equal the outcome, and it must change nothing.
      const tried = yield* Flow.preview(identity, signal, verb, saying)
      const id = yield* Flow.say(identity, signal, verb, saying)
      const outcome = yield* outcomeOf(user, id)
      expect(`${verb}: ${tried.map(({ reason }) => reason ?? "waits").join(" ")}`).toBe(`${verb}: ${outcome}`)
      if (outcome !== "waits")
        expect(`${tried.map(({ text }) => text).join(" ")}.`).toBe(yield* reasonOf(account, strategy))
      return outcome
    }
    switch (verb) {
      case "quote":
        yield* Flow.quote(Number(first), { kind, pair })
        return ""
      case "alert":
        return yield* outcomeOf(user, Number(first))
      case "wait":
        yield* TestClock.adjust(millisOf(first))
        return ""
      case "set":
        yield* Flow.update(account, strategy, settingsOf(words.slice(1)))
        return ""
      case "because":
        return yield* reasonOf(account, strategy)
      case "holds":
        return (yield* Flow.holds(strategy)).join(", ") || "nothing"
      case "trades":
        return (yield* Flow.tradesOf(strategy)).map(Flow.told).at(-1) ?? "none"
      case "notes":
        return (yield* Flow.rulesOf(account, strategy)).filter((rule) => rule === first).length.toString()
      default:
        return yield* Effect.dieMessage(`a scenario knows no ${verb}`)
    }
  })

/** The reason of the last alert; the list of alerts has the same numbers. */
const reasonOf = (account: AccountId, strategy: StrategyId) =>
  Effect.gen(function* () {
    const entries = yield* (yield* Timeline).list(account, strategy, { limit: 50 })
    const last = entries.find(({ rule }) => rule === "alert")
    const { outcomes } = yield* (yield* Alerts).get(
      account,
      Option.getOrThrow(last?.alertId ?? Option.none())
    )
    const { facts = {}, reason = "opened" } = outcomes[0] ?? {}
    const text = last?.text.replace(/^Alert .*?: /, "") ?? ""
    expect(`${wordsOf(reason, facts, "USDT")}.`).toBe(text)
    expect(last?.facts).toMatchObject(facts)
    return text
  })

const outcomeOf = ({ account }: Row["user"], alert: number) =>
  Effect.gen(function* () {
    const reasons = yield* Flow.became(account, alert)
    const waits = (yield* Flow.waitingIds).includes(alert)
    expect(reasons.length + (waits ? 1 : 0)).toBe(1)
    return waits ? "waits" : reasons.join(" ")
  })

const numbersOf = (words: ReadonlyArray<string>) => {
  const read = (name: string) => {
    const word = words.find((each) => each.startsWith(`${name}=`))
    return word === undefined ? {} : { [name]: Number(word.slice(name.length + 1)) }
  }
  return { ...read("tp"), ...read("sl") }
}

const settingsOf = (words: ReadonlyArray<string>): Flow.Body =>
  Object.fromEntries(
    words.map((word) => {
      const [name = "", value = ""] = word.split("=")
      return [name, JSON.parse(value)]
    })
  )

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const millisOf = (text: string): number => {
  const [, count = "", unit = ""] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? []
  return Number(count) * (UNITS[unit] ?? Number.NaN)
}
