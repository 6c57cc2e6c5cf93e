import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type { AccountId } from "../domain/Account.ts"
import { dataOf, type Placed, type Position, textOfPosition } from "../domain/Event.ts"
import { Events } from "../services/Events.ts"
import { Refused } from "./Refused.ts"

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
/** How old a stream gets: who comes again has to show a token that still counts. */
export const MOST_AGE_MS = 300_000
/** A connection on which nothing moved for this long, not even a heartbeat, has a reader who is stuck: it is cut. */
export const STUCK_SECONDS = 60
/** When a reader whose stream ended comes again. */
const RETRY_MS = 2_000

/**
 * The open streams of events. What is not read is not even fetched: a chunk is made when the socket has room for it,
 * so that a slow reader takes up no memory but the kernel's.
 */
export class EventStreams extends Context.Tag("signalbox/http/EventStreams")<
  EventStreams,
  {
    /**
     * A stream of the account's events beyond a position, in the form that the wire wants. It ends when `isOpen` does
     * not hold any more: who is signed out hears no more. Without it, it ends when it is old.
     */
    readonly open: (
      account: AccountId,
      from: Position,
      isOpen?: Effect.Effect<boolean>
    ) => Effect.Effect<ReadableStream<Uint8Array>, Refused>
    /** Ends all streams, and opens none from now on. */
    readonly end: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    EventStreams,
    Effect.gen(function* () {
      const events = yield* Events
      const run = Runtime.runPromise(yield* Effect.runtime<never>())
      const open = new Set<Open>()
      let ended = false

      /** What is to be sent next: events, or a comment where there were none for a while. */
      const next = Effect.fnUntraced(function* (stream: Open) {
        const since = yield* Clock.currentTimeMillis
        // Where `isOpen` tells, age does not matter: a replay's clock would end a stream every few seconds.
        if (stream.isOpen === ALWAYS && since - stream.openedAt >= MOST_AGE_MS) return ""
        while (!stream.closed && (yield* stream.isOpen)) {
          const stretch = yield* events.after(stream.account, stream.position, CHUNK)
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

      const openOne = Effect.fnUntraced(function* (
        account: AccountId,
        position: Position,
        isOpen: Effect.Effect<boolean> = ALWAYS
      ) {
        if (ended) return yield* refusal(503, "draining", "the server is going down: connect again")
        const now = yield* Clock.currentTimeMillis
        // Whose caller was gone before the answer, so that nobody ever reads them.
        for (const it of open) if (!it.reading && now - it.readAt > 2_000 * STUCK_SECONDS) it.cut()
        const own = [...open].filter((it) => it.account === account).length
        if (own >= MOST_OF_ACCOUNT) {
          const text = `an account may have ${MOST_OF_ACCOUNT} streams of events open: close one first`
          return yield* refusal(429, "too_many_streams", text)
        }
        if (open.size >= MOST)
          return yield* refusal(503, "unavailable", "too many streams of events are open: try again later")
        const stream: Open = {
          account,
          isOpen,
          openedAt: now,
          position,
          reading: false,
          readAt: now,
          closed: false,
          cut: () => {}
        }
        open.add(stream)
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

const ALWAYS = Effect.succeed(true)

interface Open {
  readonly account: AccountId
  readonly isOpen: Effect.Effect<boolean>
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
