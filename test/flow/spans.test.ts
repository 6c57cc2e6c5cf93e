// The spans of an embedder's own exchange, as a recording tracer sees them.
import { describe, expect } from "bun:test"
import { Effect, Layer, Option, Tracer } from "effect"
import * as Memory from "../../src/Memory.ts"
import { Exchange, Report, type Ticket } from "../../src/services/Exchange.ts"
import { make, type Span, Tracing } from "../../src/services/health/Tracing.ts"
import { fill } from "../../src/trading/books/Matching.ts"
import { layer } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"

/** What both tracers recorded: ours of alerts and orders, Effect's of everything that has a span. */
const recorded: { ours: Array<Span>; theirs: Array<Tracer.Span> } = { ours: [], theirs: [] }

const recording = Layer.unwrapEffect(
  Effect.gen(function* () {
    const beneath = yield* Effect.tracer
    recorded.ours = []
    recorded.theirs = []
    const span: Tracer.Tracer["span"] = (...made) => {
      const span = beneath.span(...made)
      recorded.theirs.push(span)
      return span
    }
    const tracer = yield* make((span) => void recorded.ours.push(span))
    return Layer.merge(
      Layer.setTracer(Tracer.make({ span, context: beneath.context })),
      Layer.succeed(Tracing, { tracer })
    )
  })
)

/** An exchange of an embedder, with a span for each request. */
const exchange = Layer.succeed(Exchange, {
  submit: Effect.fn("venue.place")(({ at, fees, order }: Ticket) =>
    Effect.succeed(Report.Filled({ order: order.id, fills: [fill(order, fees, at)], done: true }))
  ),
  lookup: ({ order }) => Effect.succeed(Report.Missing({ order: order.id }))
})

const tests = layer(Layer.provide(Memory.layerWith(exchange), recording))

/** The spans of requests to the exchange, each with the span of ours that it is part of. */
const requests = () =>
  recorded.theirs
    .filter(({ name }) => name === "venue.place")
    .map(({ parent, traceId }) => {
      const { spanId } = Option.getOrThrow(parent)
      const ours = recorded.ours.find(({ id }) => id.spanId === spanId)
      return { name: ours?.name, isOneTrace: traceId === ours?.id.traceId, traceId }
    })

/** The trace of the alert with this id. */
const traceOf = (alert: number) =>
  recorded.ours.find(({ attributes }) => attributes["signalbox.alert.id"] === alert)?.id.traceId

describe("a span of an own exchange", () => {
  tests.effect("is part of the trace of the alert that led to the order", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      yield* Flow.quote(100)
      const buy = yield* Flow.say(ann.identity, ann.signal, "buy")
      const sell = yield* Flow.say(ann.identity, ann.signal, "sell")
      expect(requests()).toEqual([
        { name: "order buy", isOneTrace: true, traceId: traceOf(buy) ?? "none" },
        { name: "order sell", isOneTrace: true, traceId: traceOf(sell) ?? "none" }
      ])
      expect(traceOf(buy)).not.toBe(traceOf(sell))
    })
  )

  tests.effect("is part of the order's own trace where a rule placed the order", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann({ stop_loss: true, stop_loss_percentage: 5 })
      yield* Flow.quote(100)
      const buy = yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* Flow.quote(94)
      const [, stop] = requests()
      expect(stop).toMatchObject({ name: "order sell", isOneTrace: true })
      expect(stop?.traceId).not.toBe(traceOf(buy) ?? "none")
    })
  )
})
