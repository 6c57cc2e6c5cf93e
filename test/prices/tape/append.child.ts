// Appends one minute after the other to the file in argv, from where it ends, and says which are there, until killed.
import { textOf } from "../../../src/domain/candles/CandleRowWriter.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import * as MonthFile from "../../../src/prices/tape/MonthFile.ts"

const path = process.argv[2] ?? ""
let known: MonthFile.Known = await MonthFile.inspect(path)
for (;;) {
  const at = known.last < 0 ? 0 : known.last + 60_000
  const candle = { at, open: 1, high: 1, low: 1, close: 1, volume: Decimal.one }
  known = await MonthFile.append(path, [candle], known, textOf)
  process.stdout.write(`${at / 60_000}\n`)
}
