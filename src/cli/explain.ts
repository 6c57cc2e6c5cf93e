// `signalbox explain`: prints a strategy's timeline as text, oldest entry first.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Arr from "effect/Array"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { entryView } from "../api/History.ts"
import { ruleOriginView } from "../api/shared/RuleOriginView.ts"
import type { AccountId } from "../domain/Account.ts"
import type { AlertId } from "../domain/Alert.ts"
import type { Incoming } from "../domain/alert/Incoming.ts"
import { originOf } from "../domain/alert/RuleOrigin.ts"
import type { TimelineEntry } from "../domain/Timeline.ts"
import { Journal } from "../services/Journal.ts"
import { StrategyStore } from "../services/StrategyStore.ts"
import { Timeline } from "../services/Timeline.ts"
import { byDefault, database, json } from "./program/shared.ts"
import { plain } from "./program/table.ts"
import { usage } from "./program/usage.ts"
import { originText } from "./rule/originText.ts"
import { onLive } from "./strategy/Ports.ts"
import * as StatusLines from "./strategy/StatusLines.ts"

/** Alerts that are read at a time. */
const ALERTS_AT_A_TIME = 200

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
      const origins = yield* originsOf(strategy.account, entries)
      const { name } = strategy.settings
      if (options.json) {
        const data = entries.map((entry) => ({ ...entryView(entry), ...ruleOriginView(origins.get(entry)) }))
        return yield* Console.log(JSON.stringify({ strategy_id: strategy.id, name, data }))
      }
      const title = `Strategy ${strategy.id}, ${plain(name)}; times are UTC.`
      const older =
        found.length > entries.length ? [`Older entries are left out: --limit ${options.limit}.`] : []
      const standing = yield* StatusLines.of(strategy)
      yield* Console.log([title, ...standing, ...older, story(entries, origins)].join("\n"))
    }).pipe(onLive(options.db))
).pipe(Command.withDescription("show what a strategy did and why, oldest first"))

/** How the alerts of entries arrived, by the first entry about each: those of the account itself. */
type Origins = ReadonlyMap<TimelineEntry, Incoming>

const originsOf = Effect.fnUntraced(function* (account: AccountId, entries: ReadonlyArray<TimelineEntry>) {
  const first = new Map<AlertId, TimelineEntry>()
  for (const entry of entries)
    if (Option.isSome(entry.alertId) && !first.has(entry.alertId.value)) first.set(entry.alertId.value, entry)
  const origins = new Map<TimelineEntry, Incoming>()
  const journal = yield* Journal
  for (const ids of Arr.chunksOf([...first.keys()], ALERTS_AT_A_TIME))
    for (const [id, incoming] of yield* journal.incoming(account, ids)) {
      const entry = first.get(id)
      if (entry !== undefined) origins.set(entry, incoming)
    }
  return origins
})

/** One line for each entry, grouped by day; beneath the first about an alert of a rule, why that was raised. */
const story = (entries: ReadonlyArray<TimelineEntry>, origins: Origins): string => {
  const lines: Array<string> = []
  let day = ""
  for (const entry of entries) {
    const { at, text } = entry
    const [date = "", time = ""] = new Date(at).toISOString().split("T")
    if (date !== day) lines.push("", date)
    day = date
    lines.push(`  ${time.slice(0, 8)}  ${plain(text)}`)
    const incoming = origins.get(entry)
    const origin = incoming?.door === "rule" ? originOf(incoming.body) : Option.none()
    if (Option.isSome(origin)) lines.push(`            ${plain(originText(origin.value))}`)
  }
  return lines.join("\n")
}
