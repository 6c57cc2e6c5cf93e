// The ledger's hash chains, one for each partition: a row that was altered, moved or deleted breaks its chain.
import type { Database } from "bun:sqlite"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Partition } from "../../domain/Partition.ts"
import * as Rows from "../../sql/rows/Rows.ts"
import { PAUSE, STRETCH } from "../../trading/audit/Books.ts"
import type { Check } from "../client/Fault.ts"

/** A posting to be added to the ledger. */
export interface Entry {
  readonly partition: Partition
  readonly strategy: number
  readonly posting: string
}

/**
 * A row of the ledger. `place` counts the rows of its partition's chain from 1; `hash` covers the row and, through the
 * previous hash, all rows before it.
 */
export interface Link extends Entry {
  readonly id: number
  readonly place: number
  readonly hash: Uint8Array
}

/** The end of a chain. */
interface Head {
  readonly place: number
  readonly hash: Uint8Array
}

/** The version that introduced a chain for each partition. Earlier rows form one chain without a partition. */
const PARTITIONED = 10

const HeadRow = Schema.Struct({
  partition: Schema.NullOr(Partition),
  place: Schema.Int,
  hash: Schema.Uint8ArrayFromSelf
})
const LinkRow = Schema.Struct({
  ...HeadRow.fields,
  id: Schema.Int,
  strategy: Schema.Int,
  posting: Schema.String
})
const heads = Rows.reader(HeadRow)
const ids = Rows.reader(Schema.Struct({ id: Schema.Int }))
const decodeLink = Schema.decodeUnknownSync(LinkRow)
const decodeHeads = Schema.decodeUnknownSync(Schema.Array(HeadRow))

/** The last row of each chain, up to a row of the ledger. */
const HEADS = `SELECT partition, coalesce(place, id) AS place, hash FROM ledger WHERE id IN
  (SELECT max(id) FROM ledger WHERE id <= ? GROUP BY partition) ORDER BY partition`
const HEADS_BEFORE = `SELECT NULL AS partition, id AS place, hash FROM ledger WHERE id <= ? ORDER BY id DESC LIMIT 1`
const NEWEST = Number.MAX_SAFE_INTEGER

/** The start of the first chain. */
const ROOT: Head = { place: 0, hash: new Uint8Array(32) }

/** The hash of a row: SHA-256 of the previous hash, its place in the chain, its strategy and its posting. */
export const hashOf = (before: Uint8Array, place: number, strategy: number, posting: string): Uint8Array =>
  new Bun.CryptoHasher("sha256").update(before).update(`${place}:${strategy}:${posting}`).digest()

/** The start of a partition's chain: derived from the end of the earlier single chain. */
export const rootOf = (before: Uint8Array, partition: Partition): Uint8Array =>
  new Bun.CryptoHasher("sha256").update(before).update(`partition ${partition}`).digest()

/** Turns postings into rows at the end of their partitions' chains. Within the caller's transaction. */
export const extend = Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
  if (entries.length === 0) return []
  const sql = yield* SqlClient.SqlClient
  const ends = new Map<Partition, Head>()
  for (const partition of new Set(entries.map((it) => it.partition))) {
    const [own] = yield* heads.all(
      sql`SELECT partition, place, hash FROM ledger WHERE partition = ${partition} ORDER BY place DESC LIMIT 1`
    )
    ends.set(partition, own ?? (yield* beginning(partition)))
  }
  let { id } = yield* ids.one(sql`SELECT coalesce(max(id), 0) AS id FROM ledger`)
  return entries.map((entry): Link => {
    const { partition, posting, strategy } = entry
    const before = ends.get(partition) ?? ROOT
    const place = before.place + 1
    const hash = hashOf(before.hash, place, strategy, posting)
    ends.set(partition, { place, hash })
    id++
    return { ...entry, id, place, hash }
  })
})

const beginning = Effect.fnUntraced(function* (partition: Partition) {
  const sql = yield* SqlClient.SqlClient
  const [before = ROOT] = yield* heads.all(
    sql`SELECT NULL AS partition, id AS place, hash FROM ledger WHERE partition IS NULL ORDER BY id DESC LIMIT 1`
  )
  return { place: 0, hash: rootOf(before.hash, partition) }
})

/**
 * Finds every row that was altered, moved, or follows missing ones. Each is checked against the stored hash before it.
 */
export function* broken(database: Database, version: number): Check {
  const places =
    version >= PARTITIONED ? "partition, coalesce(place, id) AS place" : "NULL AS partition, id AS place"
  const rows = database.query(
    `SELECT id, ${places}, strategy_id AS strategy, posting, hash FROM ledger ORDER BY id`
  )
  const ends = new Map<Partition | null, Head>()
  let last = 0
  /** Rows known to be missing, less those that their chains have accounted for. */
  let missing = 0
  for (const row of rows.iterate()) {
    const { hash, id, partition, place, posting, strategy } = decodeLink(row)
    const fault = (text: string) => ({ strategy, table: "ledger", row: id, text })
    const before = ends.get(partition) ?? rootFor(partition, ends)
    const absent = place - before.place - 1
    if (id !== last + 1) {
      missing += id - last - 1
      const gap = id === last + 2 ? `row ${id - 1} is` : `rows ${last + 1} to ${id - 1} are`
      yield fault(`${gap} missing before it`)
    }
    if (absent > 0 && absent <= missing) missing -= absent
    else if (absent !== 0) yield fault("it does not stand in its place in the chain")
    else if (Buffer.compare(hashOf(before.hash, place, strategy, posting), hash) !== 0)
      yield fault("it was altered: it does not fit its place in the chain")
    ends.set(partition, { place, hash })
    last = id
    if (id % STRETCH === 0) yield PAUSE
  }
}

const rootFor = (partition: Partition | null, ends: ReadonlyMap<Partition | null, Head>): Head =>
  partition === null ? ROOT : { place: 0, hash: rootOf((ends.get(null) ?? ROOT).hash, partition) }

/** One hash, in hex, that stands for all rows of the ledger up to one: for any version of a database. */
export const head = (database: Database, version: number, upTo = NEWEST): string => {
  const sql = version >= PARTITIONED ? HEADS : HEADS_BEFORE
  return joined(decodeHeads(database.query(sql).all(upTo)))
}

/** `head` of a database in use, of the current version. */
export const present = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return joined(yield* heads.all(sql.unsafe(HEADS, [NEWEST])))
})

/** The ends of all chains as one hash; with the early chain alone, its own end. */
const joined = (ends: ReadonlyArray<typeof HeadRow.Type>): string => {
  const before = ends.find(({ partition }) => partition === null)?.hash ?? ROOT.hash
  const chains = ends.filter(({ partition }) => partition !== null)
  if (chains.length === 0) return Buffer.from(before).toString("hex")
  const hasher = new Bun.CryptoHasher("sha256").update(before)
  for (const { hash, partition, place } of chains) hasher.update(`${partition}:${place}:`).update(hash)
  return hasher.digest("hex")
}
