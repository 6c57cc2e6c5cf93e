// `signalbox public`: lists and shows what owners have published, as the running server shows it to an account.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { PublicSignalList, PublicStrategyList } from "../../api/directory/Public.ts"
import { PublicSignalView, PublicStrategyDetail } from "../../api/directory/PublicViews.ts"
import { MAX_LIMIT } from "../../api/shared/Paging.ts"
import { SIGNAL_SORTS, STRATEGY_SORTS } from "../../domain/directory/Listed.ts"
import * as Applying from "../apply/Applying.ts"
import { addressOf, ask, decoded, type ServerResponse, server } from "../program/runningServer.ts"
import { byDefault, database, json, onStored } from "../program/shared.ts"
import { usage } from "../program/usage.ts"
import * as PublicText from "./PublicText.ts"

type What = "strategies" | "signals"
const LISTED: Array<[string, What]> = [
  ["strategies", "strategies"],
  ["signals", "signals"]
]
const what = Args.choice(LISTED, { name: "what" }).pipe(Args.withDescription("strategies or signals"))
const SHOWN: Array<[string, What]> = [
  ["strategy", "strategies"],
  ["signal", "signals"]
]
const which = Args.choice(SHOWN, { name: "what" }).pipe(Args.withDescription("strategy or signal"))
const id = Args.integer({ name: "id" }).pipe(
  Args.withDescription("its id, as signalbox public list shows it")
)

const account = Options.text("account").pipe(
  Options.withPseudoName("NAME"),
  Options.optional,
  Options.withDescription("the account that looks; needed where there are several")
)
const text = (name: string, description: string) =>
  Options.text(name).pipe(Options.optional, Options.withDescription(description))
const filters = {
  search: text("search", "only those with all of these words in name, description or pair"),
  sort: text(
    "sort",
    `strategies by ${STRATEGY_SORTS.join(", ")}; signals by ${SIGNAL_SORTS.join(", ")}; the first of each if left out`
  ),
  exchange: text("exchange", "only strategies that trade there, like binance"),
  pair: text("pair", "only strategies that trade it, like BTC/USDT"),
  mode: Options.choice("mode", ["paper", "real"]).pipe(
    Options.optional,
    Options.withDescription("only strategies that trade on paper, or with real money, now")
  ),
  "min-age": Options.integer("min-age").pipe(
    Options.optional,
    Options.withDescription("only strategies that were published so many days ago, or longer")
  ),
  cursor: text("cursor", "where the list goes on, as the page before it says")
}
const limit = byDefault(
  Options.integer("limit"),
  20,
  `print at most this many, the first ones; up to ${MAX_LIMIT}`
)
const shared = { account, server, json, db: database }

const list = Command.make("list", { what, ...filters, limit, ...shared }, (options) =>
  Effect.gen(function* () {
    const { limit, what } = options
    if (!(limit >= 1 && limit <= MAX_LIMIT))
      return yield* usage(`--limit takes a number from 1 to ${MAX_LIMIT}`)
    yield* onlyFor(what, options)
    const query = new URLSearchParams({ limit: String(limit) })
    for (const [name, parameter] of PARAMETERS) {
      const value: Option.Option<string | number> = options[name]
      if (Option.isSome(value)) query.set(parameter, String(value.value))
    }
    const response = yield* get(options, `/v1/public/${what}?${query}`)
    if (options.json) return yield* Console.log(withCursor(response))
    const more = response.next === undefined ? [] : [`There are more: add --cursor ${response.next}`]
    const lines =
      what === "strategies"
        ? PublicText.strategies((yield* decoded(PublicStrategyList, response)).data)
        : PublicText.signals((yield* decoded(PublicSignalList, response)).data)
    yield* Console.log([lines, ...more].join("\n"))
  }).pipe(onStored(options.db))
).pipe(
  Command.withDescription("list what is public, with its publisher, record and age; asks the running server")
)

const show = Command.make("show", { what: which, id, ...shared }, (options) =>
  Effect.gen(function* () {
    const response = yield* get(options, `/v1/public/${options.what}/${options.id}`)
    if (options.json) return yield* Console.log(response.text)
    yield* Console.log(
      options.what === "strategies"
        ? PublicText.strategy(yield* decoded(PublicStrategyDetail, response))
        : PublicText.signal(yield* decoded(PublicSignalView, response))
    )
  }).pipe(onStored(options.db))
).pipe(
  Command.withDescription(
    "show a public strategy with its record and settings, or a public signal; asks the running server"
  )
)

export const publicCommand = Command.make("public").pipe(
  Command.withDescription("look at strategies and signals that owners have published"),
  Command.withSubcommands([list, show])
)

/** The options of filters, with the parameters of the interface. */
const PARAMETERS = [
  ["search", "search"],
  ["sort", "sort"],
  ["exchange", "exchange"],
  ["pair", "pair"],
  ["mode", "mode"],
  ["min-age", "min_age"],
  ["cursor", "cursor"]
] as const

type Filters = Readonly<Record<(typeof PARAMETERS)[number][0], Option.Option<string> | Option.Option<number>>>

/** An option that signals do not have is refused rather than ignored. */
const onlyFor = (what: What, options: Filters) => {
  const wrong = (["exchange", "pair", "mode", "min-age"] as const).filter(
    (name) => options[name]._tag === "Some"
  )
  return what === "signals" && wrong.length > 0
    ? usage(`signals have no ${wrong.map((name) => `--${name}`).join(", ")}: those are for strategies`)
    : Effect.void
}

interface Looking {
  readonly account: Option.Option<string>
  readonly server: Option.Option<string>
}

const get = Effect.fnUntraced(function* (options: Looking, path: string) {
  const base = yield* addressOf(options.server)
  const { name } = yield* Applying.ownerOf(options.account)
  return yield* ask(base, name, { method: "GET", path })
})

/** The server's document with the cursor of the next page in it. */
const withCursor = ({ next, text }: ServerResponse): string => {
  const body: object = JSON.parse(text)
  return JSON.stringify({ ...body, next_cursor: next ?? null })
}
