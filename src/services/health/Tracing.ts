// Traces whose ids are a function of what is traced: a door, the journal and the engine name the same trace for the
// same alert without telling each other, and nothing has to be stored.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** A span's trace (32 hexadecimal digits) and its own id (16). */
export interface SpanId {
  readonly traceId: string
  readonly spanId: string
}

/** Finished work. Times in ms since the epoch, with fractions, as from `Measurements.now`. */
export interface Span {
  readonly id: SpanId
  /** The span that this one is part of, in the same trace; a root span has none. */
  readonly parent?: SpanId
  /** Related spans of other traces. */
  readonly links?: ReadonlyArray<SpanId>
  readonly name: string
  /** `server`: work for a caller; `client`: a request to another service. */
  readonly kind: "server" | "client" | "internal"
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** The error in words; absent on success. */
  readonly error?: string
}

/** Makes ids and takes finished spans. */
export interface Tracer {
  readonly emit: (span: Span) => void
  /** The root span of the trace of a thing: `alert`, 7. */
  readonly root: (what: string, id: string | number) => SpanId
  /** A span within a trace, identified by its name and number. */
  readonly within: (root: SpanId, name: string, number?: string | number) => SpanId
}

/** The tracer, if any. Services read it once, when they are made. */
export class Tracing extends Context.Reference<Tracing>()("signalbox/services/health/Tracing", {
  defaultValue: (): { readonly tracer: Tracer | undefined } => ({ tracer: undefined })
}) {}

/** A tracer whose ids cannot be predicted, and differ with every run of the server. */
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

/** 128 bits of a text, to tell traces apart and not for security (cyrb128, public domain). */
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
