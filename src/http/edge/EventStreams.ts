// Streams of events (SSE). A chunk is made only when the socket has room, so a slow reader uses no memory; a stream
// ends with its token or session.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type { Kind } from "../../api/shared/Codes.ts"
import type { Identity } from "../../domain/Account.ts"
import { dataOf, type Placed, type Position, textOfPosition } from "../../domain/Event.ts"
import { Accounts } from "../../services/Accounts.ts"
import { Events } from "../../services/Events.ts"
import { Sessions } from "../../services/Sessions.ts"
import { RequestRejected } from "../RequestRejected.ts"

export const CONTENT_TYPE = "text/event-stream"

export const isStream = (response: Response): boolean =>
  response.status === 200 && response.headers.get("content-type")?.startsWith(CONTENT_TYPE) === true

/** The most open streams of an account, and in all. */
export const MOST_OF_ACCOUNT = 5
export const MOST = 50

/** The most events of a chunk, how soon new events are seen, and how often a quiet stream sends a heartbeat (ms). */
const CHUNK = 100
const LOOK_MS = 250
const HEARTBEAT_MS = 15_000
/** How often the bearers of streams are checked: a stream ends within this time after its token or session (ms). */
export const BEARER_LOOK_MS = 1_000
/** The most time for a token's stream (ms): a forgotten program does not keep one for ever. */
export const MOST_AGE_MS = 300_000
/** A connection without any progress for this long, not even a heartbeat, has a stuck reader and is cut. */
export const STUCK_SECONDS = 60
/** When a reader reconnects after its stream ended (ms). */
const RETRY_MS = 2_000

/** The open streams of events. */
export class EventStreams extends Context.Tag("signalbox/http/edge/EventStreams")<
  EventStreams,
  {
    /**
     * Opens a stream of the events of the bearer's account after a position, in wire format. It ends with the bearer's
     * session or token, however that ended; a token's stream also by age.
     */
    readonly open: (
      bearer: Identity,
      from: Position
    ) => Effect.Effect<ReadableStream<Uint8Array>, RequestRejected>
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

      /** Ends the streams of bearers that would not be admitted any more: one check for all streams of a bearer. */
      const endOrphans = Effect.gen(function* () {
        const bearers = new Map([...open].map(({ bearer }) => [keyOf(bearer), bearer]))
        for (const [key, bearer] of bearers) {
          // If the check fails, the reader reconnects and authenticates anew.
          if (yield* Effect.catchAllCause(isLetIn(bearer), () => Effect.succeed(false))) continue
          for (const stream of open) if (keyOf(stream.bearer) === key) stream.cut()
        }
      })
      /** Runs while a stream is open. Streams without a reader are checked too. */
      const watch = Effect.gen(function* () {
        while (open.size > 0) {
          yield* Effect.sleep(BEARER_LOOK_MS)
          yield* endOrphans
        }
        watched = false
      }).pipe(Effect.withTracerEnabled(false))

      /** The next text to send: events, or a comment after a quiet while. */
      const next = Effect.fnUntraced(function* (stream: Open) {
        const since = yield* Clock.currentTimeMillis
        // A session's page stays open for hours; with a replay's fast clock, an age limit would end its stream every
        // few seconds.
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
              // An id without data: a reader cut off before the first event continues from here.
              controller.enqueue(utf8(`retry: ${RETRY_MS}\nid: ${textOfPosition(stream.position)}\n\n`))
            },
            pull: async (controller) => {
              stream.reading = true
              const text = await run(next(stream)).catch(() => "")
              stream.reading = false
              stream.readAt = await run(Clock.currentTimeMillis)
              if (stream.closed) return
              if (text !== "") return controller.enqueue(utf8(text))
              // After an error or by age: the reader reconnects.
              stream.cut()
            },
            cancel: () => close(stream)
          },
          { highWaterMark: 0 }
        )

      const openOne = Effect.fnUntraced(function* (bearer: Identity, position: Position) {
        if (ended) return yield* refusal([503, "draining"], "the server is going down: connect again")
        const now = yield* Clock.currentTimeMillis
        // Drops streams whose caller had gone before the response, so that nobody ever reads them.
        for (const it of open) if (!it.reading && now - it.readAt > 2_000 * STUCK_SECONDS) it.cut()
        const own = [...open].filter((it) => it.bearer.account === bearer.account).length
        if (own >= MOST_OF_ACCOUNT) {
          const text = `an account may have ${MOST_OF_ACCOUNT} streams of events open: close one first`
          return yield* refusal([429, "too_many_streams"], text)
        }
        if (open.size >= MOST)
          return yield* refusal([503, "unavailable"], "too many streams of events are open: try again later")
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
  /** Whether the reader waits for more, and when it last read something (ms since the epoch). */
  reading: boolean
  readAt: number
  closed: boolean
  cut: () => void
}

const refusal = (kind: Kind, message: string) => new RequestRejected({ kind, message })

const encoder = new TextEncoder()
const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** JSON contains no line break. */
const written = ({ event, position }: Placed): string =>
  `id: ${textOfPosition(position)}\nevent: ${event.kind}\ndata: ${JSON.stringify(dataOf(event))}\n\n`
