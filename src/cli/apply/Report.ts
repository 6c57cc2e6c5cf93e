// Reports which records of each file were created, updated or left as they were, and of a dry run which would be: as text
// with a line for each change, or as JSON.
import { type Fields, isFields } from "../../domain/requests/Form.ts"
import type { Difference } from "../../domain/requests/StrategyFile.ts"
import { plain } from "../program/table.ts"

/** A record of a file: what is made of it, and the differences to what is stored. */
export interface Applied {
  /** Undefined while it is not made. */
  readonly id: number | undefined
  readonly name: string
  readonly action: "create" | "update" | "unchanged"
  readonly changes: ReadonlyArray<Difference>
}

/** A file: either all of its records were applied, or none was and `errors` says why. */
export interface FileReport {
  readonly file: string
  readonly records: ReadonlyArray<Applied>
  readonly errors: ReadonlyArray<string>
}

/** The reports as text. A file with errors is left out: they go to standard error. */
export const text = (reports: ReadonlyArray<FileReport>, isDry: boolean): string =>
  reports
    .filter(({ errors }) => errors.length === 0)
    .flatMap(({ file, records }) => [
      `${plain(file)}:`,
      ...records.flatMap((record) => [`  ${headOf(record, isDry)}`, ...record.changes.map(lineOf)])
    ])
    .join("\n")

const DONE = { create: "created", update: "updated", unchanged: "unchanged" } as const
const DRY = { create: "would be created", update: "would be updated", unchanged: "unchanged" } as const

const headOf = ({ action, id, name }: Applied, isDry: boolean): string =>
  `${plain(name)}${id === undefined ? "" : ` (${id})`}: ${(isDry ? DRY : DONE)[action]}`

/** A changed setting as a line, its lists as what comes and goes. */
export const lineOf = ({ field, from, to }: Difference): string =>
  field === "exchanges"
    ? `    exchanges: ${pairsText(from, to)}`
    : `    ${field}: ${from === null ? "" : `${valueText(from)} -> `}${valueText(to)}`

/** The most letters of a value in text; the JSON has all of it. */
const MOST_SHOWN = 80

const valueText = (value: unknown): string => {
  const all = value === null ? "not set" : plain(JSON.stringify(value))
  return all.length > MOST_SHOWN ? `${all.slice(0, MOST_SHOWN)}...` : all
}

/** The markets that come and go: `+binance BTC/USDT, -kraken ETH/USD`. */
const pairsText = (from: unknown, to: unknown): string => {
  const [before, after] = [pairsOf(from), pairsOf(to)]
  const come = after.filter((pair) => !before.includes(pair)).map((pair) => `+${pair}`)
  const gone = before.filter((pair) => !after.includes(pair)).map((pair) => `-${pair}`)
  const all = [...come, ...gone]
  if (all.length === 0) return "in another sequence"
  const more = all.length - MOST_PAIRS
  return `${all.slice(0, MOST_PAIRS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}
const MOST_PAIRS = 12

const pairsOf = (listings: unknown): ReadonlyArray<string> =>
  listOf(listings)
    .filter(isFields)
    .flatMap(({ coin_pairs, exchange_name }) =>
      listOf(coin_pairs).map((pair) => plain(`${exchange_name} ${pair}`))
    )

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The reports as JSON; `idName` is the name of the id in the API. */
export const json = (
  reports: ReadonlyArray<FileReport>,
  { idName, isDry }: { readonly idName: string; readonly isDry: boolean }
): ReadonlyArray<Fields> =>
  reports.map(({ errors, file, records }) => ({
    file,
    applied: !isDry && errors.length === 0,
    records: records.map(({ action, changes, id, name }) => ({
      [idName]: id ?? null,
      name,
      action,
      changes
    })),
    errors
  }))
