// Rewrites the shipped markets from recorded lists: `bun scripts/catalogue/index.ts FOLDER`, with a gzip CSV for each
// exchange. Its columns are kind, base, quote, price_step, amount_step, min_amount, min_cost, status, recorded and
// seen_live. Markets that are shipped already keep their place, and their numbers unless the recording is newer.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { load } from "../../src/ccxt/load.ts"
import { markets as shipped } from "../../src/domain/catalogue/Catalogue.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { EXCHANGE_NAMES, isPair, type KnownExchange } from "../../src/domain/Market.ts"

/** Kinds whose recording is newer than what was shipped before it. */
const NEWER: ReadonlySet<string> = new Set(["binance spot", "binance swap", "okx swap", "bitget swap"])
/** Kinds for which an independent list says which markets are live: those that it lacks are left out. */
const SEEN: ReadonlySet<string> = new Set([
  ...["binance spot", "binance swap", "bybit spot", "bybit swap", "okx spot", "kucoin spot"]
])
/** Kinds that ccxt has under another exchange's name, where no bot trades. */
const ABROAD: ReadonlySet<string> = new Set(["kraken swap"])
const CLOSED: ReadonlySet<string> = new Set([
  ...["not_renewed", "SETTLING", "PENDING_TRADING", "post_only", "reduce_only", "halt", "gray"]
])
/** The most letters of a line of the file. */
const WIDTH = 1_000

interface Row {
  readonly kind: string
  readonly base: string
  readonly quote: string
  /** Price step, amount step, minimum amount, minimum cost. */
  readonly figures: string
}

/** The names that ccxt gives to coins which an exchange calls otherwise, as `market refresh` will. */
const namesOf = async (exchange: KnownExchange): Promise<ReadonlyMap<string, unknown>> => {
  const ccxt = await load(exchange)
  const names: unknown = Reflect.get(ccxt, "commonCurrencies")
  await ccxt.close()
  return new Map(Object.entries(Object(names)))
}

const keyOf = ({ base, kind, quote }: Row): string => `${base}/${quote} ${kind}`

const recorded = async (folder: string, exchange: KnownExchange): Promise<ReadonlyArray<Row>> => {
  const ours = await namesOf(exchange)
  const bytes = Bun.gunzipSync(new Uint8Array(readFileSync(join(folder, `${exchange}.csv.gz`))))
  const [head = "", ...lines] = new TextDecoder().decode(bytes).trim().split("\n")
  const names = head.split(",")
  return lines.flatMap((line) => {
    const cells = new Map(line.split(",").map((cell, place) => [names[place], cell]))
    const of = (name: string) => cells.get(name) ?? ""
    const coin = (name: string) => String(ours.get(of(name)) ?? of(name))
    const [kind, base, quote] = [of("kind"), coin("base"), coin("quote")]
    const isLive = !SEEN.has(`${exchange} ${kind}`) || of("seen_live") !== ""
    // A name that ccxt gives to another coin is not clear.
    const isClear = [base, quote].every((name) => (ours.get(name) ?? name) === name)
    const isWhole =
      isClear && of("price_step") !== "" && of("amount_step") !== "" && isPair(`${base}/${quote}`)
    if (!isLive || !isWhole || ABROAD.has(`${exchange} ${kind}`) || CLOSED.has(of("status"))) return []
    const [step, named] = [of("amount_step"), of("min_amount")]
    const least = Number(named) > Number(step) ? named : step
    const figures = [of("price_step"), step, least, of("min_cost") || "0"].join(" ")
    return [{ kind, base, quote, figures }]
  })
}

const known = (exchange: KnownExchange): ReadonlyArray<Row> =>
  shipped(exchange).map(({ amountStep, kind, minAmount, minCost, pair, priceStep }) => {
    const [base = "", quote = ""] = pair.split("/")
    const least = Decimal.max(minAmount, amountStep)
    const figures = [priceStep, amountStep, least, minCost].map(Decimal.toText).join(" ")
    return { kind, base, quote, figures }
  })

/** The rows by kind and quote, then by figures: `0.01 0.001 0.001 5 ETH BNB`. */
const packed = (rows: ReadonlyArray<Row>): string => {
  const sections = new Map<string, Map<string, Array<string>>>()
  for (const { base, figures, kind, quote } of rows) {
    const section = sections.get(`${kind} ${quote}`) ?? new Map<string, Array<string>>()
    sections.set(`${kind} ${quote}`, section)
    section.set(figures, [...(section.get(figures) ?? []), base])
  }
  return [...sections]
    .flatMap(([name, groups]) => [`${name}:`, ...lines([...groups].map((it) => it.flat().join(" ")))])
    .join("\n")
}

const lines = (groups: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all: Array<string> = []
  for (const group of groups) {
    const last = all.at(-1)
    if (last === undefined || last.length + group.length > WIDTH) all.push(group)
    else all[all.length - 1] = `${last}; ${group}`
  }
  return all
}

const [folder = ""] = process.argv.slice(2)
for (const exchange of EXCHANGE_NAMES) {
  const all = new Map(known(exchange).map((row) => [keyOf(row), row]))
  for (const row of await recorded(folder, exchange))
    if (!all.has(keyOf(row)) || NEWER.has(`${exchange} ${row.kind}`)) all.set(keyOf(row), row)
  const path = `src/domain/catalogue/${exchange}.ts`
  const text = readFileSync(path, "utf8").replace(
    /markets: `\n[^`]*`/,
    () => `markets: \`\n${packed([...all.values()])}\n\``
  )
  writeFileSync(path, text)
  console.log(`${exchange}: ${all.size} markets, ${text.length} letters, ${text.split("\n").length} lines`)
}
