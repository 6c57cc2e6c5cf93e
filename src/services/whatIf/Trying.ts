// Tries a strategy's life with other settings, from what was gathered, the candles and the facts of markets, with what
// has to be said about it.
import type { AccountId } from "../../domain/Account.ts"
import { utcText } from "../../domain/internal/DateFormat.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { LiveRecord } from "../../trading/compare/LiveRecord.ts"
import { overrunText } from "../../trading/Overrun.ts"
import { exchangeFor } from "../../trading/Routing.ts"
import { changesOf, identityOf } from "../../trading/whatIf/SettingChanges.ts"
import { luckOf, sharpeOf } from "../../trading/whatIf/TryLuck.ts"
import { type WhatIf, whatIf } from "../../trading/whatIf/WhatIf.ts"
import { viewOf, type WhatIfView } from "../../trading/whatIf/WhatIfView.ts"
import { type CandlePlace, placesOf } from "../compare/Comparing.ts"
import type { Gathered } from "../compare/Gathering.ts"
import type { WhatIfTry } from "../records/WhatIfTries.ts"

/** A record and the settings that are tried on it. */
export interface Trial {
  readonly gathered: Gathered
  readonly settings: Settings
}

/** The same with whose strategy it is, and what has to be said about the stretch. */
export interface Tried extends Trial {
  readonly account: AccountId
  readonly notices: ReadonlyArray<string>
}

/** The pairs whose candles are needed: those that either settings trade, each once. */
export const candlePlaces = ({ gathered, settings }: Trial): ReadonlyArray<CandlePlace> => {
  const places = [gathered.settings, settings].flatMap((either) =>
    placesOf({ ...gathered, settings: either }).filter(
      ({ exchange, pair }) => exchangeFor(either, pair) === exchange
    )
  )
  return places.filter(
    ({ exchange, pair }, index) =>
      places.findIndex((other) => other.exchange === exchange && other.pair === pair) === index
  )
}

/**
 * Runs both tests; a text says why there is nothing to see. `fillModel` is that of the server's paper trading: the test
 * of a bot with real money has none.
 */
export const tried = (
  { gathered, settings }: Trial,
  { fillModel, series, ...facts }: Pick<LiveRecord, "fees" | "fillModel" | "market" | "series">
): WhatIf | string => {
  const missing = missingText(gathered, series)
  if (missing !== undefined) return missing
  const tradedBy = (either: Settings) =>
    series.filter(({ exchange, pair }) => exchangeFor(either, pair) === exchange)
  const model = gathered.isLive ? {} : { fillModel }
  const record = { ...facts, ...gathered, ...model, series: tradedBy(gathered.settings) }
  const result = whatIf(record, { settings, series: tradedBy(settings) })
  if (result.overrun === undefined) return result
  const whose = result.overrun.side === "changed" ? "changed" : "present"
  return `with the ${whose} settings, ${overrunText(`${utcText(result.overrun.at)}`)}`
}

/** Why nothing can be tried: no alert, or no candle at all. */
const missingText = ({ alerts, from, until }: Gathered, series: LiveRecord["series"]): string | undefined => {
  const time = `from ${utcText(from)} to ${utcText(until)}`
  if (alerts.length === 0) return `the strategy answered no alert ${time}: there is nothing to try again`
  if (series.some(({ columns }) => columns.length > 0)) return undefined
  const [first] = series
  if (first === undefined)
    return `no alert ${time} was for a pair that the strategy lists, or would list: there is nothing to try again`
  const others = series.length > 1 ? ` and ${series.length - 1} more` : ""
  return `there are no candles of ${first.pair} on ${first.exchange}${others} ${time}: a server that was started with --record keeps them, and signalbox candles download ${first.exchange} ${first.pair} --from DAY fetches those of the past`
}

/** What is kept of a try. `digestOf` makes a short name of the settings, `at` is now (ms). */
export const tryOf = (
  { gathered, settings }: Trial,
  { net, sharpe, trades }: Outcome,
  { at, digestOf }: { readonly at: number; readonly digestOf: (text: string) => string }
): WhatIfTry => ({
  digest: digestOf(identityOf(settings)),
  at,
  from: gathered.from,
  until: gathered.until,
  changes: changesOf(gathered.settings, settings),
  net,
  trades,
  sharpe
})

/** Whether the settings trade as the present ones do: that is no try. */
export const isUnchanged = ({ gathered, settings }: Trial): boolean =>
  identityOf(gathered.settings) === identityOf(settings)

/** The result of the changed settings, as a try keeps it. */
export type Outcome = Pick<WhatIfTry, "net" | "sharpe" | "trades">

/** The outcome of what was tried. */
export const outcomeOf = ({ measured, sides }: WhatIf): Outcome => ({
  net: sides.changed.tally.net,
  trades: sides.changed.tally.count,
  sharpe: sharpeOf(measured)
})

/** What a view needs of a try that was kept. */
export type KnownTry = Pick<WhatIfTry, "at" | "changes" | "net" | "sharpe" | "trades">

/** The answer. `tries` are all on the stretch, with this one, newest first; `notices` are said after our own. */
export const answerOf = (
  { gathered, settings }: Trial,
  result: WhatIf,
  {
    notices = [],
    tries
  }: { readonly tries: ReadonlyArray<KnownTry>; readonly notices?: ReadonlyArray<string> }
): WhatIfView =>
  viewOf({
    strategy: gathered.strategy.id,
    name: gathered.settings.name,
    isLive: gathered.isLive,
    currency: gathered.settings.quote,
    from: gathered.from,
    until: gathered.until,
    balance: gathered.balance,
    changes: changesOf(gathered.settings, settings),
    notices: [...noticesOf(gathered), ...notices],
    result,
    luck: isUnchanged({ gathered, settings })
      ? undefined
      : luckOf(
          result.measured,
          tries.map(({ sharpe }) => sharpe)
        ),
    tries
  })

/** Said where an embedder's own decisions are not in the tests. */
export const LACKS_OWN =
  "this server has own decisions in its bots (vetoes, sizes or exits), which both tests do not have"

const noticesOf = ({ from, past, periodFrom, settings, wantedFrom }: Gathered): ReadonlyArray<string> => {
  const changes = past.filter(({ until }) => until > from).length
  const hasBalanceRule = settings.balanceStopLoss !== undefined || settings.balanceTakeProfit !== undefined
  return [
    ...(from > wantedFrom ? [`it begins at ${utcText(from)}, when the bot held nothing`] : []),
    ...(changes === 0
      ? []
      : [
          `the settings were changed ${changes === 1 ? "once" : `${changes} times`} in that time: what happened was traded with those of its day, the test of the present settings with those of now throughout`
        ]),
    ...(from > periodFrom && hasBalanceRule
      ? ["the balance rules of both tests count from their beginning, those of the bot from an earlier time"]
      : []),
    ...(settings.active ? [] : ["the strategy is inactive now: both tests are of active settings"])
  ]
}
