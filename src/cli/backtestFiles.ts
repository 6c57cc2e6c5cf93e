import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as CandleFile from "../domain/CandleFile.ts"
import * as Flaws from "../domain/Flaws.ts"
import { MarketFile } from "../domain/MarketFile.ts"
import type { Settings } from "../domain/Strategy.ts"
import { parseCreate } from "../domain/StrategyRequest.ts"
import * as AlertsFile from "../trading/AlertsFile.ts"
import type { TimedAlert } from "../trading/Backtest.ts"

/** A file that cannot be read or does not hold what it should: exit code 1. */
export class FileError extends Data.TaggedError("FileError")<{
  readonly file: string
  readonly text: string
}> {
  override get message() {
    return `${this.file}: ${this.text}`
  }
}

export const readCandles = (file: string): Effect.Effect<CandleFile.Columns, FileError> =>
  Effect.flatMap(readBytes(file), (bytes) =>
    Either.match(CandleFile.parse(bytes), {
      onLeft: (flaw) => fail(file, CandleFile.explainFlaw(flaw)),
      onRight: (columns) => (columns.length === 0 ? fail(file, "holds no candles") : Effect.succeed(columns))
    })
  )

export const readAlerts = (file: string): Effect.Effect<ReadonlyArray<TimedAlert>, FileError> =>
  Effect.flatMap(readBytes(file), (bytes) =>
    Either.match(AlertsFile.parse(bytes), {
      onLeft: ({ line, text }) => fail(file, `line ${line}: ${text}`),
      onRight: Effect.succeed
    })
  )

/** A strategy in the request dialect, as it would be sent to create it. */
export const readStrategy = (file: string): Effect.Effect<Settings, FileError> =>
  Effect.flatMap(readJson(file), (body) => {
    if (!isRecord(body)) return fail(file, "is not a JSON object")
    return Either.match(parseCreate(body), {
      onLeft: (violations) => fail(file, violations.map(({ field, text }) => `${field} ${text}`).join("; ")),
      onRight: ({ settings }) => Effect.succeed(settings)
    })
  })

export const readMarket = (file: string): Effect.Effect<MarketFile, FileError> =>
  Effect.flatMap(readJson(file), (body) =>
    Either.match(Flaws.decode(MarketFile, body), {
      onLeft: (flaws) =>
        fail(file, flaws.map(({ path, text }) => `${path.slice(1)} ${text}`.trim()).join("; ")),
      onRight: Effect.succeed
    })
  )

export const isRecord = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
const decodeJson = Schema.decodeUnknownEither(Schema.parseJson(Schema.Unknown))

export const readJson = (file: string): Effect.Effect<unknown, FileError> =>
  Effect.flatMap(readBytes(file), (bytes) =>
    Either.match(decodeJson(new TextDecoder().decode(bytes)), {
      onLeft: () => fail(file, "is not JSON"),
      onRight: Effect.succeed
    })
  )

/** Gzip is told by its first two bytes, whatever the file is called. */
const readBytes = (file: string): Effect.Effect<Uint8Array, FileError> =>
  Effect.tryPromise({
    try: async () => {
      const bytes = await Bun.file(file).bytes()
      return bytes[0] === 0x1f && bytes[1] === 0x8b ? Bun.gunzipSync(bytes) : bytes
    },
    catch: (cause) =>
      new FileError({ file, text: isMissing(cause) ? "there is no such file" : "cannot be read" })
  })

const isMissing = Schema.is(Schema.Struct({ code: Schema.Literal("ENOENT") }))

const fail = (file: string, text: string) => Effect.fail(new FileError({ file, text }))
