// The ledger's hash chains, one for each partition: a row that was altered, moved or deleted breaks its chain.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Partition } from "../../domain/Partition.ts"
import * as Rows from "./Rows.ts"

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
export interface Head {
  readonly place: number
  readonly hash: Uint8Array
}

/** The last row of a chain; the first chain has no partition. */
export const HeadRow = Schema.Struct({
  partition: Schema.NullOr(Partition),
  place: Schema.Int,
  hash: Schema.Uint8ArrayFromSelf
})
const heads = Rows.reader(HeadRow)
const ids = Rows.reader(Schema.Struct({ id: Schema.Int }))

/** The last row of each chain, up to a row of the ledger. */
export const HEADS = `SELECT partition, coalesce(place, id) AS place, hash FROM ledger WHERE id IN
  (SELECT max(id) FROM ledger WHERE id <= ? GROUP BY partition) ORDER BY partition`
/** Beyond every row. */
export const NEWEST = Number.MAX_SAFE_INTEGER

/** The start of the first chain. */
export const ROOT: Head = { place: 0, hash: new Uint8Array(32) }

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

/** One hash, in hex, that stands for all rows of the ledger of a database in use. */
export const present = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return joined(
    yield* heads.all(sql`SELECT partition, coalesce(place, id) AS place, hash FROM ledger
      WHERE id IN (SELECT max(id) FROM ledger GROUP BY partition) ORDER BY partition`)
  )
})

/** The ends of all chains as one hash; with the early chain alone, its own end. */
export const joined = (ends: ReadonlyArray<typeof HeadRow.Type>): string => {
  const before = ends.find(({ partition }) => partition === null)?.hash ?? ROOT.hash
  const chains = ends.filter(({ partition }) => partition !== null)
  if (chains.length === 0) return Buffer.from(before).toString("hex")
  const hasher = new Bun.CryptoHasher("sha256").update(before)
  for (const { hash, partition, place } of chains) hasher.update(`${partition}:${place}:`).update(hash)
  return hasher.digest("hex")
}
