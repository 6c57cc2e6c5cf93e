// The source of prices that the settings name, with what depends on it: who may trade with real money, and how long
// alerts wait for a price.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServerOptions } from "./Config.ts"
import * as Addresses from "./ccxt/Addresses.ts"
import * as Pauses from "./ccxt/Pauses.ts"
import { SettingRefused } from "./domain/requests/SettingRefused.ts"
import * as CandleFiles from "./prices/CandleFiles.ts"
import * as Recorded from "./prices/Recorded.ts"
import * as Replay from "./prices/Replay.ts"
import * as ReplayClock from "./prices/ReplayClock.ts"
import * as Replayed from "./prices/Replayed.ts"
import * as Source from "./prices/Source.ts"
import * as Streaming from "./prices/streaming/Streaming.ts"
import * as Tape from "./prices/Tape.ts"
import { dataFolderOf } from "./prices/tape/Place.ts"
import * as StreamingFeed from "./services/feeds/StreamingFeed.ts"
import * as PriceFeed from "./services/PriceFeed.ts"
import { ENDLESS_PATIENCE } from "./trading/AlertPatience.ts"

/**
 * The price source (only streaming prices may move real money), the exchanges' addresses, and the pauses that
 * exchanges asked for.
 */
export interface Money {
  readonly feed: Source.PriceSource["_tag"]
  readonly urls: Addresses.Addresses
  readonly pauses: Pauses.Pauses
}

/** No addresses of exchanges but their own, and no pauses yet. */
export const direct = (): Money => ({ feed: "Live", urls: new Map(), pauses: Pauses.make() })

/** The price source. In a replay an alert waits for the next candle, however far off, as in a back-test. */
export const of = Effect.fnUntraced(function* (options: ServerOptions) {
  const urls = yield* addressesOf(options)
  const source = yield* Effect.mapError(
    Source.parse(options.prices),
    () => new SettingRefused({ message: "--prices takes live, none, or replay:PATH" })
  )
  const money = { feed: source._tag, urls, pauses: Pauses.make() }
  const patience = { entryMs: options.staleAfter * 1000, priceMs: options.priceWait * 1000 }
  switch (source._tag) {
    case "None":
      return {
        feed: Layer.merge(PriceFeed.layerNone, Recorded.layer({ folder: dataFolderOf(options.db) })),
        money,
        patience
      }
    case "Live":
      return { feed: live(options, money), money, patience }
    case "Replay":
      return { feed: yield* replayed(source.path, options), money, patience: ENDLESS_PATIENCE }
  }
})

const live = ({ db, record, recordDays, recordGb }: ServerOptions, { pauses, urls }: Money) => {
  const folder = dataFolderOf(db)
  const isOn = record === "on"
  const bounds = { days: recordDays, bytes: recordGb * 1e9 }
  return Layer.merge(Streaming.layer({ urls, record: isOn, pauses }), charted(folder)).pipe(
    Layer.provideMerge(StreamingFeed.layerOf(Streaming.describe(urls))),
    Layer.provideMerge(isOn ? Tape.layer({ folder, bounds }) : Tape.Tape.layerNone)
  )
}

const charted = (folder: string) =>
  Layer.unwrapEffect(Effect.map(StreamingFeed.StreamingFeed, ({ seen }) => Recorded.layer({ folder, seen })))

const replayed = Effect.fnUntraced(function* (path: string, { anyTime, replaySpeed: speed }: ServerOptions) {
  const recordings = yield* CandleFiles.load(path, anyTime)
  const clock = ReplayClock.make(Replay.beginning(recordings), speed)
  const describe = `replay of ${recordings.length} ${recordings.length === 1 ? "recording" : "recordings"}`
  return Replay.layer(recordings, clock, speed).pipe(
    Layer.provideMerge(PriceFeed.layer(describe)),
    Layer.merge(Replayed.layer(recordings)),
    Layer.provideMerge(Layer.setClock(clock))
  )
})

const addressesOf = ({ exchangeUrls }: ServerOptions) =>
  Effect.mapError(
    Addresses.parse(exchangeUrls),
    (error) => new SettingRefused({ message: `--exchange-urls ${error}` })
  )
