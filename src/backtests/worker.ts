// The entry of a worker thread: its own file in the built program (see scripts/build.ts).
import * as Clock from "effect/Clock"
import * as Either from "effect/Either"
import { type BacktestRequest, MAX_CANDLES } from "../domain/requests/BacktestRequest.ts"
import * as Place from "../prices/tape/Place.ts"
import { read } from "../trading/backtest/BacktestBody.ts"
import * as BacktestMarkets from "../trading/backtest/BacktestMarkets.ts"
import * as BacktestRun from "../trading/backtest/BacktestRun.ts"
import type { Answer, Message } from "./Job.ts"
import * as Recorded from "./Recorded.ts"

declare const self: Worker

let request: BacktestRequest | undefined
let startedAt = 0

self.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data._tag === "Read") answer(take(data.body))
  else if (request !== undefined) answer(run(request, data))
}

const answer = (told: Answer): void => self.postMessage(told)

const take = (body: Uint8Array): Answer => {
  startedAt = Bun.nanoseconds()
  const found = read(body)
  if (Either.isLeft(found))
    return typeof found.left === "string"
      ? { _tag: "Unreadable", text: found.left }
      : { _tag: "Refused", violations: found.left }
  const asked = found.right
  request = asked
  const { alerts, candles, settings } = asked
  const listed = settings.exchanges.flatMap(({ exchange, pairs }) =>
    pairs.map((pair) => ({ exchange, pair }))
  )
  const priced = candles.map(({ pair }) => ({ exchange: BacktestRun.placeOf(asked, pair), pair }))
  return {
    _tag: "Asks",
    places: [...listed, ...priced],
    alerts: alerts._tag === "OnRecord" ? alerts : undefined
  }
}

const run = (
  asked: BacktestRequest,
  { alerts, database, ground }: Extract<Message, { readonly _tag: "Run" }>
): Answer => {
  const view = BacktestRun.run(asked, {
    ground: BacktestMarkets.decodeMarkets(ground),
    most: MAX_CANDLES,
    candles: (wanted, most) => Recorded.candles(Place.candlesIn(Place.dataFolderOf(database)), wanted, most),
    alerts: () => (alerts === undefined ? Either.right([]) : Recorded.alerts(database, alerts)),
    // Of the world outside, also where a replay has a time of its own.
    now: Clock.make().unsafeCurrentTimeMillis(),
    elapsed: () => (Bun.nanoseconds() - startedAt) / 1e6
  })
  return Either.isLeft(view)
    ? { _tag: "Refused", violations: view.left }
    : { _tag: "Done", json: JSON.stringify(view.right) }
}
