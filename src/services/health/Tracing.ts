import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** What names a span: its trace (32 hexadecimal digits) and itself (16). */
export interface SpanId {
  readonly traceId: string
  readonly spanId: string
}

/** A piece of work that is over. Times in ms since the epoch, with fractions, as `Measurements.now` gives them. */
export interface Span {
  readonly id: SpanId
  /** The span that it is a part of, in the same trace; the first of a trace has none. */
  readonly parent?: SpanId
  /** Spans of other traces that it has to do with. */
  readonly links?: ReadonlyArray<SpanId>
  readonly name: string
  /** `server`: an answer to somebody; `client`: a question to somebody. */
  readonly kind: "server" | "client" | "internal"
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** What went wrong, in words; nothing where all went well. */
  readonly error?: string
}

/**
 * Where spans go. Ids are a function of what is traced: so a door, the journal and the engine name the same trace for
 * the same alert without telling each other, and nothing of it has to be stored.
 */
export interface Tracer {
  readonly emit: (span: Span) => void
  /** The first span of the trace of a thing: `alert`, 7. */
  readonly root: (what: string, id: string | number) => SpanId
  /** A span within a trace. Its name and number tell it from the others. */
  readonly within: (root: SpanId, name: string, number?: string | number) => SpanId
}

/** Whether and where traces go: nowhere, unless somebody gives it a tracer. Looked up once, when a service is made. */
export class Tracing extends Context.Reference<Tracing>()("signalbox/services/health/Tracing", {
  defaultValue: (): { readonly tracer: Tracer | undefined } => ({ tracer: undefined })
}) {}

/** A tracer whose ids nobody can tell beforehand, and no other run of the server draws. */
export const make = (emit: Tracer["emit"]): Effect.Effect<Tracer> =>
  Effect.map(
    Effect.all([Random.nextIntBetween(0, 2 ** 32), Random.nextIntBetween(0, 2 ** 32)]),
    ([one, other]) => {
      const salt = `${one}:${other}`
      return {
        emit,
        root: (what, id) => {
          const [a, b, c, d] = digest(`${salt}:${what}:${id}`)
          return { traceId: hex(a) + hex(b) + hex(c) + hex(d), spanId: spanOf(`${salt}:root:${what}:${id}`) }
        },
        within: ({ traceId }, name, number = "") => ({
          traceId,
          spanId: spanOf(`${traceId}:${name}:${number}`)
        })
      }
    }
  )

const spanOf = (text: string): string => {
  const [a, b] = digest(text)
  return hex(a) + hex(b)
}

const hex = (word: number): string => word.toString(16).padStart(8, "0")

/** 128 bits of a text, by which traces are told apart and nothing is proven (cyrb128, public domain). */
const digest = (text: string): readonly [number, number, number, number] => {
  let [a, b, c, d] = [1_779_033_703, 3_144_134_277, 1_013_904_242, 2_773_480_762]
  for (let place = 0; place < text.length; place++) {
    const unit = text.charCodeAt(place)
    a = b ^ Math.imul(a ^ unit, 597_399_067)
    b = c ^ Math.imul(b ^ unit, 2_869_860_233)
    c = d ^ Math.imul(c ^ unit, 951_274_213)
    d = a ^ Math.imul(d ^ unit, 2_716_044_179)
  }
  a = Math.imul(c ^ (a >>> 18), 597_399_067)
  b = Math.imul(d ^ (b >>> 22), 2_869_860_233)
  c = Math.imul(a ^ (c >>> 17), 951_274_213)
  d = Math.imul(b ^ (d >>> 19), 2_716_044_179)
  return [(a ^ b ^ c ^ d) >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0]
}
