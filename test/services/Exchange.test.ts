import { describe, test } from "bun:test"
import { Effect, Layer } from "effect"
import { Exchange, Report } from "../../src/services/Exchange.ts"
import * as Contract from "../../src/testing/Contract.ts"
import { suite, suiteOf } from "../../src/testing/contracts/Exchange.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import { fill } from "../../src/trading/books/Matching.ts"

describe("the paper exchange", () =>
  Contract.tests(suiteOf({ takesIntents: true }), Exchange.layerPaper, test))

/** Anew for each case: it remembers. */
const scripted = (act: Scripted.Act) =>
  Layer.suspend(() => Scripted.make(...Array.from({ length: 9 }, () => act)).layer)

const acts: ReadonlyArray<readonly [string, Scripted.Act]> = [
  ["all goes well", {}],
  ["in parts", Scripted.fillsInParts(3, 5_000)],
  ["partly", Scripted.fillsPartly(0.4)],
  ["a lost answer", Scripted.losesAnswer],
  ["an order that appears late", Scripted.appearsAfter(20_000)],
  ["late and repeated fills", Scripted.tellsBadly]
]
for (const [name, act] of acts) describe(name, () => Contract.tests(suite, scripted(act), test))

describe("the contract suite finds an exchange", () => {
  const broken: ReadonlyArray<readonly [string, string, (times: number, sent: boolean) => number]> = [
    ["that trades again what is sent again", "an order that is sent again trades once", (times) => times],
    [
      "that trades what it is only asked about",
      "an order that was never sent is missing",
      (_, sent) => (sent ? 1 : 2)
    ],
    ["that never fills", "a market order fills", () => 0]
  ]
  test.each(broken)("%s", async (_, name, fillsFor) => {
    const sent = new Map<string, number>()
    const answer =
      (isSending: boolean): (typeof Exchange.Service)["lookup"] =>
      ({ at, fees, order }) =>
        Effect.sync(() => {
          const times = (sent.get(order.id) ?? 0) + (isSending ? 1 : 0)
          if (isSending) sent.set(order.id, times)
          const fills = Array.from({ length: fillsFor(times, sent.has(order.id)) }, (_, index) => ({
            ...fill(order, fees, at),
            id: `${index}`
          }))
          return fills.length === 0
            ? Report.Accepted({ order: order.id })
            : Report.Filled({ order: order.id, fills, done: true })
        })
    const layer = Layer.succeed(Exchange, { submit: answer(true), lookup: answer(false) })
    const found: Array<string> = []
    for (const one of suite.cases) await Contract.check(one, layer).catch(() => found.push(one.name))
    if (!found.some((text) => text.startsWith(name))) throw new Error(`only found: ${found.join("; ")}`)
  })
})
