// The work on stored candles by `signalbox candles` in a process of low priority: candles of years are read and written
// there, and neither the memory nor the time of the server depends on it.
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SETTINGS } from "../../Config.ts"
import { type CandleSeries, DAY_MS, dayText } from "../../domain/candles/CandleSeries.ts"
import { TIMEFRAMES } from "../../domain/candles/Timeframe.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { ExchangeName, MarketKind, Pair } from "../../domain/Market.ts"
import type { Heard } from "../../services/feeds/PageRetry.ts"
import * as Child from "../program/child.ts"
import { plain } from "../program/table.ts"
import type { Work } from "./library.ts"

/** The longest that a list or a removal may take, and that a download may be silent (ms). */
const LIMIT_MS = 60_000
const SILENCE_MS = 1_200_000
/** The most lines of a failure, and the most letters of one. */
const MOST_LINES = 5
const MOST_LETTERS = 300
/** The most holes of a series that are listed. */
const MOST_HOLES = 10

const Holdings = Schema.Array(
  Schema.Struct({
    exchange: ExchangeName,
    pair: Pair,
    kind: MarketKind,
    timeframe: Schema.Literal(...TIMEFRAMES),
    from: Schema.Int,
    to: Schema.Int,
    count: Schema.Int,
    bytes: Schema.Int,
    missing: Schema.Int,
    holes: Schema.Array(
      Schema.Struct({ from: Schema.Int, to: Schema.Int, candles: Schema.Int, known: Schema.Boolean })
    ),
    more_holes: Schema.Int
  })
)
const Result = Schema.Struct({
  days_fetched: Schema.Int,
  days_kept: Schema.Int,
  candles_fetched: Schema.Int,
  missing: Schema.Int,
  listed_from: Schema.NullOr(Schema.Int)
})
const Removed = Schema.Struct({ days_removed: Schema.Int })
/** A line of `--progress`. */
const News = Schema.parseJson(
  Schema.Union(
    Schema.Struct({ _tag: Schema.Literal("Progress"), done: Schema.Number, total: Schema.Number }),
    Schema.Struct({ _tag: Schema.Literal("Waiting"), reason: Schema.String, ms: Schema.Number })
  )
)
const newsIn = lazily(() => Schema.decodeUnknownOption(News))

/** Where the server keeps its database, and the addresses in place of the exchanges' own. */
export interface Place {
  readonly db: string
  readonly exchangeUrls: string
}

/** Works in processes of this program. */
export const inProcess = (place: Place): Work => {
  const run = <A, I>(schema: Schema.Schema<A, I>, args: ReadonlyArray<string>, watch: Watch) => {
    const output = Effect.tryPromise({
      try: (signal) => printed(place, args, { ...watch, signal }),
      catch: (cause) => (cause instanceof Stopped ? cause.message : UNKNOWN)
    })
    return Effect.flatMap(output, (text) =>
      Effect.mapError(Schema.decode(Schema.parseJson(schema))(text), () => UNKNOWN)
    )
  }
  const brief = { silence: LIMIT_MS, heard: () => {} }
  return {
    list: Effect.map(run(Holdings, ["list"], brief), (all) =>
      all.map(({ holes, more_holes, ...series }) => ({
        ...series,
        holes: holes.slice(-MOST_HOLES),
        more_holes: more_holes + Math.max(0, holes.length - MOST_HOLES)
      }))
    ),
    download: ({ from, series, until }, heard) => {
      const days = ["--from", dayText(from), "--to", dayText(until - DAY_MS)]
      const args = ["download", ...named(series), ...days, "--progress"]
      return run(Result, args, { silence: SILENCE_MS, heard })
    },
    remove: (series) =>
      Effect.map(run(Removed, ["remove", ...named(series)], brief), ({ days_removed }) => days_removed)
  }
}

const named = ({ exchange, kind, pair, timeframe }: CandleSeries) => [
  exchange,
  pair,
  ...["--kind", kind, "--timeframe", timeframe]
]

interface Watch {
  /** It is ended after so long without a word (ms). */
  readonly silence: number
  readonly heard: Heard
}

const UNKNOWN = "signalbox candles failed; the server's log may say why"

class Stopped extends Error {}

/** What a command prints. Rejects with its error; it ends at once with the signal: a day is stored whole or not at all. */
const printed = async (
  { db, exchangeUrls }: Place,
  args: ReadonlyArray<string>,
  { heard, signal, silence }: Watch & { readonly signal: AbortSignal }
): Promise<string> => {
  const child = Bun.spawn([...Child.program(), "candles", ...args, "--json", "--db", resolve(db)], {
    cwd: "/",
    env: {
      ...Child.environment(),
      ...(exchangeUrls === "" ? {} : { [SETTINGS.exchangeUrls.variable]: exchangeUrls })
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    signal,
    killSignal: "SIGKILL"
  })
  Child.lower(child.pid)
  let isSilent = false
  const silenced = () => {
    isSilent = true
    child.kill("SIGKILL")
  }
  let timer = setTimeout(silenced, silence)
  const failures: Array<string> = []
  const read = async () => {
    for await (const line of linesOf(child.stderr)) {
      const news = newsIn(line)
      if (news._tag === "None") {
        if (line !== "" && failures.length < MOST_LINES) failures.push(line)
        continue
      }
      clearTimeout(timer)
      timer = setTimeout(silenced, silence)
      heard(news.value)
    }
  }
  try {
    const [code, text] = await Promise.all([child.exited, new Response(child.stdout).text(), read()])
    if (code === 0) return text
    throw new Stopped(isSilent ? "it took too long" : failures.map(cleaned).join("; ") || UNKNOWN)
  } finally {
    clearTimeout(timer)
  }
}

const cleaned = (line: string): string => plain(line.replace(/^signalbox: /, "").slice(0, MOST_LETTERS))

const linesOf = async function* (stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
    rest = lines.pop()?.slice(0, 10_000) ?? ""
    yield* lines
  }
  yield rest
}
