// Checks the ledger's hash chains, and sums them up as one hash.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Partition } from "../../domain/Partition.ts"
import * as LedgerChain from "../rows/LedgerChain.ts"
import type { Check } from "./Fault.ts"
import * as RowDecoder from "./RowDecoder.ts"
import { all, each, type Source } from "./Source.ts"

/** The version that introduced a chain for each partition. Earlier rows form one chain without a partition. */
const PARTITIONED = 10

const LinkRow = Schema.Struct({
  ...LedgerChain.HeadRow.fields,
  id: Schema.Int,
  strategy: Schema.Int,
  posting: Schema.String
})
const decodeLink = RowDecoder.make(LinkRow)
const decodeHead = Schema.decodeUnknownSync(LedgerChain.HeadRow)

const HEADS_BEFORE = `SELECT NULL AS partition, id AS place, hash FROM ledger WHERE id <= ? ORDER BY id DESC LIMIT 1`

type Ends = ReadonlyMap<Partition | null, LedgerChain.Head>

/**
 * Finds every row that was altered, moved, or follows missing ones. Each is checked against the stored hash before it.
 */
export function* broken(source: Source): Check {
  const places =
    source.version >= PARTITIONED
      ? "partition, coalesce(place, id) AS place"
      : "NULL AS partition, id AS place"
  const ends = new Map<Partition | null, LedgerChain.Head>()
  let last = 0
  /** Rows known to be missing, less those that their chains have accounted for. */
  let missing = 0
  function* checked(row: object) {
    const { hash, id, partition, place, posting, strategy } = Either.getOrThrow(decodeLink(row))
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
    else if (Buffer.compare(LedgerChain.hashOf(before.hash, place, strategy, posting), hash) !== 0)
      yield fault("it was altered: it does not fit its place in the chain")
    ends.set(partition, { place, hash })
    last = id
  }
  yield* each(
    source.rows(`SELECT id, ${places}, strategy_id AS strategy, posting, hash FROM ledger ORDER BY id`),
    checked
  )
}

const rootFor = (partition: Partition | null, ends: Ends): LedgerChain.Head =>
  partition === null
    ? LedgerChain.ROOT
    : { place: 0, hash: LedgerChain.rootOf((ends.get(null) ?? LedgerChain.ROOT).hash, partition) }

/** One hash, in hex, that stands for all rows of the ledger up to one: for any version of a database. */
export function* head(source: Source, upTo = LedgerChain.NEWEST): Check<string> {
  const statement = source.version >= PARTITIONED ? LedgerChain.HEADS : HEADS_BEFORE
  const rows = yield* all(source.rows(statement, upTo))
  return LedgerChain.joined(rows.map((row) => decodeHead(row)))
}
