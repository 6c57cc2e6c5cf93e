// Verifies a whole database of either dialect: rows, references, ledger chains, orders and every bot's books. It reads
// one moment and writes nothing, so a server may run beside it.
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Schema from "effect/Schema"
import * as Breath from "../../services/engine/Breath.ts"
import { inRealTime } from "../../services/internal/RealTime.ts"
import { PAUSE } from "../../trading/audit/Books.ts"
import * as LongWork from "../client/LongWork.ts"
import { reasonOf } from "../client/SqlErrors.ts"
import type { Check, Fault } from "./Fault.ts"
import { count, each, type Source } from "./Source.ts"
import { audited } from "./VerifyBooks.ts"
import { disagreeing } from "./VerifyDays.ts"
import * as VerifyFollowings from "./VerifyFollowings.ts"
import { differing } from "./VerifyGroups.ts"
import * as VerifyLedger from "./VerifyLedger.ts"
import * as Meter from "./VerifyMeter.ts"
import { contradicted } from "./VerifyOrders.ts"
import { miscounted } from "./VerifyRecords.ts"
import * as VerifyRows from "./VerifyRows.ts"

const TABLES = ["ledger", "fills", "trades", "orders", "bots", "strategies", "signals", "alerts"] as const

type Counts = Readonly<Record<(typeof TABLES)[number], number>>

interface Summary {
  readonly rows: Counts
  /** One hash, in hex, over the ends of all ledger chains: it stands for all rows. */
  readonly head: string
}

/** The result of a verification. */
export interface Verdict extends Summary {
  readonly version: number
  readonly faults: ReadonlyArray<Fault>
  /** The number of faults beyond those listed. */
  readonly untold: number
}

/** What is verified. */
export interface Subject {
  /** The version of the database, as its own dialect counts. */
  readonly version: number
  readonly source: Source
  /** The checks that each dialect has of its own. */
  readonly storage: {
    /** How the database is stored, where that can be checked; with the name that faults of it have. */
    readonly intact?: { readonly name: string; readonly check: () => Check }
    readonly schema: () => Check
    readonly references: () => Check
  }
}

/** The most faults that are listed. */
export const MAX_FAULTS = 1_000

/** Verifies a database, row by row. Can be interrupted between groups of rows. */
export const verify = Effect.fn("Verify.verify")(function* (subject: Subject) {
  const listen = yield* FiberRef.get(LongWork.listener)
  return yield* Effect.ensuring(
    judge(subject, everything(subject, listen)),
    LongWork.tell({ words: "verified", done: 1, total: 1 })
  )
})

/** A check of how a file is stored takes about this share of the time that reading the rows takes. */
const FILE_SHARE = 0.2

/** Lets signals in, which takes a whole turn of the event loop. */
export const breathe = inRealTime(Breath.breathe)

const judge = Effect.fnUntraced(
  function* ({ source, version }: Subject, check: Check<Summary>) {
    const faults: Array<Fault> = []
    let untold = 0
    for (;;) {
      const { done, value } = check.next()
      if (done === true) return { version, faults, untold, ...value } satisfies Verdict
      if (value === PAUSE) yield* source.ready
      else if (faults.length < MAX_FAULTS) faults.push(value)
      else untold++
    }
  },
  // Closes the generator's statements after an interruption.
  (judging, _subject, check) =>
    Effect.ensuring(
      judging,
      Effect.sync(() => check.return({ rows: NONE, head: "" }))
    )
)

const NONE: Counts = {
  ledger: 0,
  fills: 0,
  trades: 0,
  orders: 0,
  bots: 0,
  strategies: 0,
  signals: 0,
  alerts: 0
}

/** Sums are verified only where all rows behind them are sound. */
function* everything(subject: Subject, listen: LongWork.Listener | undefined): Check<Summary> {
  const { source } = subject
  const meter = listen === undefined ? Meter.OFF : Meter.make(yield* weigh(source), listen)
  let isSound = true
  for (const found of rowsAndBooks(subject, meter)) {
    if (found !== PAUSE) isSound = false
    yield found
  }
  if (isSound) {
    yield* readable("result_days", disagreeing(source))
    yield* readable("trade_groups", differing(source))
    yield* readable("strategy_records", miscounted(source))
  }
  return yield* summary(source)
}

function* summary(source: Source): Check<Summary> {
  const rows = { ...NONE }
  for (const table of TABLES) rows[table] = yield* unlessBroken(count(source, table), 0)
  return { rows, head: yield* unlessBroken(VerifyLedger.head(source), "") }
}

/** A damaged database is a fault already. */
function* unlessBroken<A>(read: Check<A>, otherwise: A): Check<A> {
  try {
    return yield* read
  } catch {
    return otherwise
  }
}

/** The rows of all checks together: those of each table, and the ledger's twice more, for its chain and the books. */
function* weigh(source: Source): Check<number> {
  let rows = 2 * (yield* unlessBroken(count(source, "ledger"), 0))
  for (const [table] of VerifyRows.looks)
    if (VerifyRows.isThere(table, source.version)) rows += yield* unlessBroken(count(source, table), 0)
  return rows * (1 + FILE_SHARE) + 1
}

function* rowsAndBooks({ source, storage }: Subject, meter: Meter.Meter): Check {
  function* metered(words: string, from: string, check: Check): Check {
    const rows = meter.isOn ? yield* unlessBroken(count(source, from), 0) : 0
    yield* meter.part(words, rows, check)
  }
  if (storage.intact !== undefined) {
    const { check, name } = storage.intact
    const share = meter.isOn ? (yield* weigh(source)) * (FILE_SHARE / (1 + FILE_SHARE)) : 0
    yield* meter.part("verifying the file", share, readable(name, check()))
    yield PAUSE
  }
  yield* readable("schema", storage.schema())
  for (const [table, check] of VerifyRows.looks)
    if (VerifyRows.isThere(table, source.version))
      yield* metered(`verifying ${table.replaceAll("_", " ")}`, table, readable(table, check(source)))
  yield* readable("references", storage.references())
  yield* readable("followings", VerifyFollowings.contradicted(source))
  yield* metered("verifying the ledger", "ledger", readable("ledger", VerifyLedger.broken(source)))
  yield* readable("orders", contradicted(source))
  yield* readable("bots", books(source, metered))
}

/** A database that is too damaged to read on is a fault too. */
function* readable(table: string, check: Check): Check {
  try {
    yield* check
  } catch (cause) {
    yield { table, text: `cannot be read any further: ${reasonOf(cause)}` }
  }
}

const BOOKS = `SELECT strategy_id AS strategy FROM bots UNION SELECT strategy_id FROM ledger
  UNION SELECT strategy_id FROM fills UNION SELECT strategy_id FROM trades ORDER BY 1`
const strategyOf = Schema.decodeUnknownSync(Schema.Struct({ strategy: Schema.Int }))

type Metered = (words: string, from: string, check: Check) => Check

function* books(source: Source, metered: Metered): Check {
  const strategies: Array<number> = []
  yield* each(source.rows(BOOKS), (row) => {
    strategies.push(strategyOf(row).strategy)
    return undefined
  })
  for (const strategy of strategies) {
    const words = `verifying the books of strategy ${strategy}`
    yield* metered(words, `ledger WHERE strategy_id = ${strategy}`, booksOf(source, strategy))
    yield PAUSE
  }
}

function* booksOf(source: Source, strategy: number): Check {
  for (const found of audited(source, strategy)) yield found === PAUSE ? PAUSE : { strategy, ...found }
}
