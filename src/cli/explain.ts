// `signalbox explain`: prints a strategy's timeline as text, oldest entry first.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { entryView } from "../api/History.ts"
import type { TimelineEntry } from "../domain/Timeline.ts"
import { StrategyStore } from "../services/StrategyStore.ts"
import { Timeline } from "../services/Timeline.ts"
import { byDefault, database, json } from "./program/shared.ts"
import { plain } from "./program/table.ts"
import { usage } from "./program/usage.ts"
import { onLive } from "./strategy/Ports.ts"
import * as StatusLines from "./strategy/StatusLines.ts"

/** The strategy does not exist or has done nothing: exit code 1. */
class NothingToExplain extends Data.TaggedError("NothingToExplain")<{ readonly message: string }> {}

const limit = byDefault(Options.integer("limit"), 500, "print at most this many entries, the newest ones")

/** The operator's view: explains a strategy of any account. */
export const explain = Command.make(
  "explain",
  {
    id: Args.integer({ name: "strategy-id" }).pipe(
      Args.withDescription("the strategy's id, as signalbox strategy list shows it")
    ),
    limit,
    json,
    db: database
  },
  (options) =>
    Effect.gen(function* () {
      if (options.limit < 1) return yield* usage("--limit takes a number of 1 or more")
      const all = yield* Effect.flatMap(StrategyStore, (store) => store.all)
      const strategy = all.find(({ id }) => id === options.id)
      if (strategy === undefined)
        return yield* new NothingToExplain({ message: `there is no strategy ${options.id}` })
      const timeline = yield* Timeline
      const page = { limit: options.limit + 1 }
      const found = yield* timeline.list(strategy.account, strategy.id, page)
      if (found.length === 0)
        return yield* new NothingToExplain({ message: `strategy ${options.id} has done nothing yet` })
      const entries = found.slice(0, options.limit).reverse()
      const { name } = strategy.settings
      if (options.json)
        return yield* Console.log(
          JSON.stringify({ strategy_id: strategy.id, name, data: entries.map(entryView) })
        )
      const title = `Strategy ${strategy.id}, ${plain(name)}; times are UTC.`
      const older =
        found.length > entries.length ? [`Older entries are left out: --limit ${options.limit}.`] : []
      const standing = yield* StatusLines.of(strategy)
      yield* Console.log([title, ...standing, ...older, story(entries)].join("\n"))
    }).pipe(onLive(options.db))
).pipe(Command.withDescription("show what a strategy did and why, oldest first"))

/** One line for each entry, grouped by day. */
export const story = (entries: ReadonlyArray<TimelineEntry>): string => {
  const lines: Array<string> = []
  let day = ""
  for (const { at, text } of entries) {
    const [date = "", time = ""] = new Date(at).toISOString().split("T")
    if (date !== day) lines.push("", date)
    day = date
    lines.push(`  ${time.slice(0, 8)}  ${plain(text)}`)
  }
  return lines.join("\n")
}
