// Announces to every account when prices of an exchange stop or return, when storage was unavailable for a while, when
// candles are no longer recorded for want of disk, and at its start for how long no server ran. Of several servers, the
// one with the first partition announces what concerns them all.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ExchangeName } from "../../domain/Market.ts"
import type { TimelineNote } from "../../domain/Timeline.ts"
import { Events } from "../Events.ts"
import { whileFirst } from "../engine/EnginePartitions.ts"
import { CandleRecording } from "../feeds/CandleRecording.ts"
import { constantOf } from "../internal/Waiting.ts"
import { Journal } from "../Journal.ts"
import { Tickers } from "../Tickers.ts"
import { Heartbeat } from "./Heartbeat.ts"

/**
 * How often exchanges are checked, every how many checks the disk is, and how long an exchange may be gone before it is
 * announced.
 */
const LOOK = "5 seconds"
const LOOKS_PER_DISK = 6
const GONE_MS = 30_000
/** How often the server leaves word that it runs, in checks; and without how much of it (ms) it was off. */
const LOOKS_PER_BEAT = 6
const OFF_MS = 90_000

/** Runs the checks for as long as the layer lives; none where neither prices nor storage can fail. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const events = yield* Events
    const journal = yield* Journal
    const tickers = yield* Tickers
    /** Exchanges announced as gone, and since when. */
    const outages = new Map<ExchangeName, number>()
    let fullSince = 0
    let looks = 0

    const exchanges = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const { exchange, reason, since, state } of yield* tickers.health) {
        if (state === "unreachable" && !outages.has(exchange) && now - since >= GONE_MS) {
          const text = `No prices from ${exchange}: ${reason}. Bots open nothing there until prices are back.`
          yield* events.announce(noteOf(now, "exchange_unreachable", text, { exchange, since }))
          outages.set(exchange, since)
        }
        const from = outages.get(exchange)
        if (from === undefined || (state !== "streaming" && state !== "polling")) continue
        const text = `Prices from ${exchange} are back after ${seconds(now - from)}.`
        yield* events.announce(noteOf(now, "exchange_back", text, { exchange, since: from }))
        outages.delete(exchange)
      }
    })

    const disk = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (!(yield* journal.writable)) {
        fullSince ||= now
        return
      }
      if (fullSince === 0) return
      const text = `For ${seconds(now - fullSince)} nothing could be stored and alerts were refused: check the server's disk.`
      yield* events.announce(noteOf(now, "storage_back", text, { since: fullSince }))
      fullSince = 0
    })

    const candles = recordingCheck(events, yield* CandleRecording)
    const running = runningCheck(events, yield* Heartbeat)
    const check = Effect.gen(function* () {
      if (looks % LOOKS_PER_BEAT === 0) yield* logged(running)
      yield* logged(exchanges)
      // A failing disk is checked each time.
      if (looks++ % LOOKS_PER_DISK === 0 || fullSince > 0) yield* logged(disk)
    })
    if (isUnwatched(tickers.health) && isSteady(journal.writable)) return
    // Each server has a folder of candles of its own.
    yield* candles.pipe(logged, Effect.zipRight(Effect.sleep(LOOK)), Effect.forever, Effect.forkScoped)
    yield* whileFirst(check.pipe(Effect.zipRight(Effect.sleep(LOOK)), Effect.forever))
  })
)

const RECORDING_STOPPED =
  "Candles are no longer recorded: less than 1 GB of the server's disk is free. Bots trade on; make room, and recording goes on."

/** Announces that candles are no longer recorded, and that they are again; each once. */
const recordingCheck = (events: typeof Events.Service, { state }: typeof CandleRecording.Service) => {
  let pausedSince = 0
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const isPaused = (yield* state) === "paused"
    if (isPaused && pausedSince === 0) {
      yield* events.announce(noteOf(now, "recording_stopped", RECORDING_STOPPED, {}))
      pausedSince = now
    }
    if (isPaused || pausedSince === 0) return
    const text = `Candles are recorded again after ${seconds(now - pausedSince)}.`
    yield* events.announce(noteOf(now, "recording_back", text, { since: pausedSince }))
    pausedSince = 0
  })
}

/** Leaves word that the server runs, and announces for how long none did. */
const runningCheck = (events: typeof Events.Service, { beat }: typeof Heartbeat.Service) => {
  let isStart = true
  return Effect.gen(function* () {
    const before = yield* beat
    const wasOff = isStart
    isStart = false
    const now = yield* Clock.currentTimeMillis
    if (!wasOff || before === undefined || now - before < OFF_MS) return
    const text = `The server did not run for ${seconds(now - before)}: no alert was taken and no rule acted meanwhile.`
    yield* events.announce(noteOf(now, "server_back", text, { since: before }))
  })
}

/** A feed that never has a line of health, and storage that is never full, both in memory. */
const isUnwatched = (health: (typeof Tickers.Service)["health"]): boolean =>
  Option.exists(constantOf(health), (lines) => lines.length === 0)
const isSteady = (writable: (typeof Journal.Service)["writable"]): boolean =>
  Option.getOrElse(constantOf(writable), () => false)

/** A failing check does not stop the other: with a full disk, nothing about exchanges can be stored either. */
const logged = (self: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchAllCause(self, (cause) =>
    Cause.isInterrupted(cause)
      ? Effect.failCause(cause)
      : Effect.logWarning("an announcement to all accounts could not be stored", cause)
  )

const noteOf = (at: number, rule: string, text: string, facts: TimelineNote["facts"]): TimelineNote => ({
  at,
  rule,
  alertId: Option.none(),
  reason: Option.none(),
  text,
  facts
})

const seconds = (millis: number): string => `${Math.max(1, Math.round(millis / 1000))} s`
