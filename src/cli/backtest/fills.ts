// The option --fills: fills nearer to life, in back-tests and sweeps.
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { SETTINGS } from "../../Config.ts"
import * as FillModel from "../../domain/fills/FillModel.ts"
import * as FillText from "../../domain/fills/FillText.ts"
import * as FillWords from "../../domain/fills/FillWords.ts"
import type { MarketId } from "../../domain/Market.ts"
import * as FundingFiles from "../../prices/FundingFiles.ts"
import * as SpreadFiles from "../../prices/SpreadFiles.ts"
import * as Place from "../../prices/tape/Place.ts"
import type { BacktestMarkets } from "../../trading/backtest/BacktestMarkets.ts"
import type { FillsView } from "../../trading/backtest/FillsView.ts"
import { usage } from "../program/usage.ts"
import { FileError } from "./files.ts"

export const fills = Options.text("fills").pipe(
  Options.optional,
  Options.withDescription(
    `make fills nearer to life than whole, at once, at the price of the decision: ${FillText.FORM}`
  )
)

/** The model that the option names; none where it is left out, or where all of it is off. */
export const modelOf = (text: Option.Option<string>) =>
  Option.match(text, {
    onNone: () => Effect.succeed(undefined),
    onSome: (written) => {
      const model = FillText.ofText(written)
      return Either.isLeft(model) ? usage(`--fills ${model.left}`) : Effect.succeed(model.right)
    }
  })

/** The model in a sentence. */
export const wordsOf = (model: FillModel.FillModel): string => sentenceOf(FillModel.documentOf(model))

const sentenceOf = (document: FillModel.FillModelDocument): string =>
  `Fills nearer to life: ${FillWords.wordsOf(document).join("; ")}.`

/** The column of a CSV that names the model by the text of the option; no column where there is none. */
export const cellOf = (model: FillModel.FillModel | undefined) =>
  model === undefined ? { head: [], cell: [] } : { head: ["fills"], cell: [`"${FillText.textOf(model)}"`] }

/** The model as JSON: its fields, and the text of the option. */
export const jsonOf = (model: FillModel.FillModel) => ({
  ...FillModel.documentOf(model),
  text: FillText.textOf(model)
})

/** What the fills of a run were, in sentences. */
export const lines = (nearer: FillsView): ReadonlyArray<string> => [
  sentenceOf(nearer),
  ...(nearer.funding_received === undefined ? [] : [`Funding came to ${nearer.funding_received}.`]),
  ...nearer.remarks
]

/** The model with the stored funding rates of the series' perpetuals and the recorded spreads, where it wants them. */
export const groundOf = (
  model: FillModel.FillModel | undefined,
  series: ReadonlyArray<Pick<MarketId, "exchange" | "pair">>,
  db: Option.Option<string>
): Effect.Effect<Pick<BacktestMarkets, "fillModel" | "funding" | "spreads">, FileError> => {
  const { funding, spread } = model ?? {}
  if (funding === undefined && spread === undefined) return Effect.succeed({ fillModel: model })
  const file = Option.match(db, { onNone: () => SETTINGS.db.value, onSome: Effect.succeed })
  return Effect.map(Effect.mapError(file, noHome), (filename) => {
    const candles = Place.candlesIn(Place.dataFolderOf(filename))
    const rates = new Map(series.map((one) => [keyOf(one), FundingFiles.read(candles, one)]))
    return {
      fillModel: model,
      ...(funding === undefined ? {} : { funding: (id: MarketId) => rates.get(keyOf(id)) ?? [] }),
      ...(spread === undefined ? {} : { spreads: SpreadFiles.reader(candles) })
    }
  })
}

const keyOf = ({ exchange, pair }: Pick<MarketId, "exchange" | "pair">): string => `${exchange} ${pair}`
const noHome = () =>
  new FileError({
    file: "--fills",
    text: "funding and recorded spreads lie beside the database: give it with --db"
  })
