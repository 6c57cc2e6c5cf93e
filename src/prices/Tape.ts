import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { MarketId } from "../domain/Market.ts"

export class Tape extends Context.Tag("signalbox/prices/Tape")<
  Tape,
  {
    readonly traded: (market: MarketId, price: number, amount: number, at: number) => void
    readonly whole: (markets: ReadonlyArray<MarketId>) => void
    readonly broken: (markets: ReadonlyArray<MarketId>) => void
  }
>() {
  static readonly layerNone = Layer.succeed(Tape, { traded: () => {}, whole: () => {}, broken: () => {} })
}
