import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type { Identity } from "../../domain/Account.ts"
import { dataOf, type Placed, type Position, textOfPosition } from "../../domain/Event.ts"
import { Accounts } from "../../services/Accounts.ts"
import { Events } from "../../services/Events.ts"
import { Sessions } from "../../services/Sessions.ts"
import { Refused } from "../Refused.ts"

export const CONTENT_TYPE = "text/event-stream"

export const isStream = (response: Response): boolean =>
  response.status === 200 && response.headers.get("content-type")?.startsWith(CONTENT_TYPE) === true

/** Streams that may be open at a time, of one account and in all. */
export const MOST_OF_ACCOUNT = 5
export const MOST = 50

/** Events of one chunk, how soon new ones are seen, and how long a stream is quiet. */
const CHUNK = 100
const LOOK_MS = 250
const HEARTBEAT_MS = 15_000
/** How often the tokens and sessions of all streams are looked at: a stream ends so soon after its own. */
export const BEARER_LOOK_MS = 1_000
/** How old a token's stream gets: a program that was forgotten does not keep one for ever. */
export const MOST_AGE_MS = 300_000
/** A connection on which nothing moved for this long, not even a heartbeat, has a reader who is stuck: it is cut. */
export const STUCK_SECONDS = 60
/** When a reader whose stream ended comes again. */
const RETRY_MS = 2_000

/**
 * The open streams of events. What is not read is not even fetched: a chunk is made when the socket has room for it,
 * so that a slow reader takes up no memory but the kernel's.
 */
export class EventStreams extends Context.Tag("signalbox/http/edge/EventStreams")<
  EventStreams,
  {
    /**
     * A stream of the events of the bearer's account beyond a position, in the form that the wire wants. It ends with
     * the bearer's session or token, whoever ended that; a token's also when it is old.
     */
    readonly open: (bearer: Identity, from: Position) => Effect.Effect<ReadableStream<Uint8Array>, Refused>
    /** Ends all streams, and opens none from now on. */
    readonly end: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(
    EventStreams,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const events = yield* Events
      const sessions = yield* Sessions
      const scope = yield* Effect.scope
      const run = Runtime.runPromise(yield* Effect.runtime<never>())
      const open = new Set<Open>()
      let ended = false
      let watched = false

      const isLetIn = ({ session, token }: Identity): Effect.Effect<boolean> =>
        session === undefined
          ? Effect.map(accounts.valid(token), Option.isSome)
          : Effect.map(sessions.get(session), Option.isSome)

      /** Ends the streams of those who would not be let in any more: one look for all streams of a bearer. */
      const endOrphans = Effect.gen(function* () {
        const bearers = new Map([...open].map(({ bearer }) => [keyOf(bearer), bearer]))
        for (const [key, bearer] of bearers) {
          // Where nobody can tell, the reader comes again and shows who it is.
          if (yield* Effect.catchAllCause(isLetIn(bearer), () => Effect.succeed(false))) continue
          for (const stream of open) if (keyOf(stream.bearer) === key) stream.cut()
        }
      })
      /** Goes on for as long as a stream is open. Streams that nobody reads are looked at too. */
      const watch = Effect.gen(function* () {
        while (open.size > 0) {
          yield* Effect.sleep(BEARER_LOOK_MS)
          yield* endOrphans
        }
        watched = false
      }).pipe(Effect.withTracerEnabled(false))

      /** What is to be sent next: events, or a comment where there were none for a while. */
      const next = Effect.fnUntraced(function* (stream: Open) {
        const since = yield* Clock.currentTimeMillis
        // A page stays open for hours, and a replay's clock would end its stream every few seconds.
        if (stream.bearer.session === undefined && since - stream.openedAt >= MOST_AGE_MS) return ""
        while (!stream.closed) {
          const stretch = yield* events.after(stream.bearer.account, stream.position, CHUNK)
          stream.position = stretch.position
          if (stretch.events.length > 0) return stretch.events.map(written).join("")
          if ((yield* Clock.currentTimeMillis) - since >= HEARTBEAT_MS) return ": still here\n\n"
          if (!stretch.full) yield* Effect.sleep(LOOK_MS)
        }
        return ""
      })

      const close = (stream: Open): void => {
        stream.closed = true
        open.delete(stream)
      }

      const bodyOf = (stream: Open) =>
        new ReadableStream<Uint8Array>(
          {
            start: (controller) => {
              stream.cut = () => {
                if (stream.closed) return
                close(stream)
                controller.close()
              }
              // An id without data: who is cut off before the first event goes on from here.
              controller.enqueue(utf8(`retry: ${RETRY_MS}\nid: ${textOfPosition(stream.position)}\n\n`))
            },
            pull: async (controller) => {
              stream.reading = true
              const text = await run(next(stream)).catch(() => "")
              stream.reading = false
              stream.readAt = await run(Clock.currentTimeMillis)
              if (stream.closed) return
              if (text !== "") return controller.enqueue(utf8(text))
              // Something failed, or it is old: the reader comes again.
              stream.cut()
            },
            cancel: () => close(stream)
          },
          { highWaterMark: 0 }
        )

      const openOne = Effect.fnUntraced(function* (bearer: Identity, position: Position) {
        if (ended) return yield* refusal(503, "draining", "the server is going down: connect again")
        const now = yield* Clock.currentTimeMillis
        // Whose caller was gone before the answer, so that nobody ever reads them.
        for (const it of open) if (!it.reading && now - it.readAt > 2_000 * STUCK_SECONDS) it.cut()
        const own = [...open].filter((it) => it.bearer.account === bearer.account).length
        if (own >= MOST_OF_ACCOUNT) {
          const text = `an account may have ${MOST_OF_ACCOUNT} streams of events open: close one first`
          return yield* refusal(429, "too_many_streams", text)
        }
        if (open.size >= MOST)
          return yield* refusal(503, "unavailable", "too many streams of events are open: try again later")
        const stream: Open = {
          bearer,
          openedAt: now,
          position,
          reading: false,
          readAt: now,
          closed: false,
          cut: () => {}
        }
        open.add(stream)
        if (!watched) {
          watched = true
          yield* Effect.forkIn(watch, scope)
        }
        return bodyOf(stream)
      })

      return {
        open: openOne,
        end: Effect.sync(() => {
          ended = true
          for (const stream of open) stream.cut()
        })
      }
    })
  )
}

const keyOf = ({ session, token }: Identity): string =>
  session === undefined ? `token ${token}` : `session ${session}`

interface Open {
  readonly bearer: Identity
  readonly openedAt: number
  position: Position
  /** Whether its reader waits for more, and when it last had something (ms since the epoch). */
  reading: boolean
  readAt: number
  closed: boolean
  cut: () => void
}

const refusal = (status: 429 | 503, code: string, message: string) => new Refused({ status, code, message })

const encoder = new TextEncoder()
const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** JSON holds no line break of its own. */
const written = ({ event, position }: Placed): string =>
  `id: ${textOfPosition(position)}\nevent: ${event.kind}\ndata: ${JSON.stringify(dataOf(event))}\n\n`
