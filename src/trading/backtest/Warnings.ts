// Warnings on settings that can never act together or do not act as they read. Such settings are accepted all the same.
// A hole in candles gives no warning: see `Tracks`.
import { documentOf, type FillModel } from "../../domain/fills/FillModel.ts"
import { wordsOf } from "../../domain/fills/FillWords.ts"
import { quoteOf } from "../../domain/Market.ts"
import { isWhole } from "../../domain/position/Ladder.ts"
import type { Settings } from "../../domain/Strategy.ts"

/** A warning, by code. */
export interface Warning {
  readonly code:
    | "dca_beyond_stop_loss"
    | "dca_after_auto_close"
    | "trail_wider_than_arm"
    | "balance_stop_within_fees"
    | "min_profit_unused"
    | "break_even_after_all"
    | "never_buys"
    | "pair_never_trades"
    | "paper_fills"
  readonly text: string
}

/** How a server makes paper fills nearer to life, in a sentence. */
export const paperFillsWords = (model: FillModel): string =>
  `paper fills are nearer to life on this server: ${wordsOf(documentOf(model)).join("; ")}`

/** Says so on the page of a strategy that trades on paper. */
export const paperFillsWarning = (model: FillModel): Warning => ({
  code: "paper_fills",
  text: paperFillsWords(model)
})

/** All warnings on a strategy's settings. `takerFeePercent` is the rate on its trading exchange. */
export const warnings = (settings: Settings, takerFeePercent: number): ReadonlyArray<Warning> =>
  [
    dcaBeyondStopLoss(settings),
    dcaAfterAutoClose(settings),
    trailWiderThanArm(settings),
    balanceStopWithinFees(settings, takerFeePercent),
    minProfitUnused(settings),
    breakEvenAfterAll(settings),
    neverBuys(settings),
    pairNeverTrades(settings)
  ].filter((warning) => warning !== undefined)

const dcaBeyondStopLoss = ({ dca, stopLoss }: Settings): Warning | undefined =>
  dca !== undefined && stopLoss !== undefined && dca.triggerPercent >= stopLoss.percent
    ? {
        code: "dca_beyond_stop_loss",
        text: `DCA waits for ${dca.triggerPercent} % against the average, but the stop loss closes at ${stopLoss.percent} %`
      }
    : undefined

const dcaAfterAutoClose = ({ autoClose, dca }: Settings): Warning | undefined =>
  autoClose !== undefined && dca !== undefined && dca.waitMinutes >= autoClose.minutes
    ? {
        code: "dca_after_auto_close",
        text: `DCA waits ${dca.waitMinutes} minutes, but positions are closed after ${autoClose.minutes}`
      }
    : undefined

const trailWiderThanArm = ({ minProfitPercent, trailingSell }: Settings): Warning | undefined =>
  trailingSell !== undefined &&
  minProfitPercent === undefined &&
  trailingSell.percent > trailingSell.armPercent
    ? {
        code: "trail_wider_than_arm",
        text: `the trailing sell arms at ${trailingSell.armPercent} % profit and trails by ${trailingSell.percent} %: it can close at a loss`
      }
    : undefined

/** An entry lowers equity by its entry fee and, since equity counts closing, by the exit fee too. */
const balanceStopWithinFees = (settings: Settings, takerFeePercent: number): Warning | undefined => {
  const { balanceStopLoss, buyPercent } = settings
  const fees = 2 * takerFeePercent * (buyPercent / 100)
  return balanceStopLoss !== undefined && buyPercent > 0 && balanceStopLoss.triggerPercent <= fees
    ? {
        code: "balance_stop_within_fees",
        text: `the balance stop loss fires at ${balanceStopLoss.triggerPercent} %, which the fees of one entry use up`
      }
    : undefined
}

/** Steps replace the take profit of the minimum profit; what is left of it gates closing alerts and the trailing sell. */
const minProfitUnused = (settings: Settings): Warning | undefined => {
  const { minProfitPercent, signalIgnoresMinProfit, takeProfitSteps, trailingSell } = settings
  const isGate = !signalIgnoresMinProfit || trailingSell !== undefined
  return minProfitPercent !== undefined && takeProfitSteps !== undefined && !isGate
    ? {
        code: "min_profit_unused",
        text: `the minimum profit of ${minProfitPercent} % is not used: the steps take profit in its place, and closing alerts ignore it`
      }
    : undefined
}

const breakEvenAfterAll = ({ breakEvenAfter, takeProfitSteps = [] }: Settings): Warning | undefined => {
  const isAll = isWhole(takeProfitSteps.map(({ closePercent }) => closePercent))
  return isAll && breakEvenAfter === takeProfitSteps.length
    ? {
        code: "break_even_after_all",
        text: `the stop moves to break even after ${breakEvenAfter} steps, but the last of them closes all that is left: it moves only for targets of alerts`
      }
    : undefined
}

const neverBuys = ({ buyPercent }: Settings): Warning | undefined =>
  buyPercent === 0
    ? { code: "never_buys", text: "the buy percentage is 0: nothing will be bought" }
    : undefined

const pairNeverTrades = ({ exchanges, quote }: Settings): Warning | undefined => {
  const others = exchanges.flatMap(({ pairs }) => pairs).filter((pair) => quoteOf(pair) !== quote)
  return others.length > 0
    ? {
        code: "pair_never_trades",
        text: `${others.length} pairs are not quoted in ${quote}: their alerts are ignored`
      }
    : undefined
}
