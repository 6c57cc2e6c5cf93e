import type { Database } from "bun:sqlite"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Finding } from "../trading/Books.ts"
import * as Rows from "./Rows.ts"

/** A row of the ledger: `hash` covers it and, through the hash before, all rows before it. */
export interface Link {
  readonly id: number
  readonly strategy: number
  readonly posting: string
  readonly hash: Uint8Array
}

const LinkRow = Schema.Struct({
  id: Schema.Int,
  strategy: Schema.Int,
  posting: Schema.String,
  hash: Schema.Uint8ArrayFromSelf
})
const rows = Rows.reader(LinkRow)
const decodeLink = Schema.decodeUnknownSync(LinkRow)
const decodeHead = Schema.decodeUnknownSync(LinkRow.pick("hash"))

/** What the first row hangs on. */
const ROOT: Pick<Link, "id" | "hash"> = { id: 0, hash: new Uint8Array(32) }

export const hashOf = (before: Uint8Array, id: number, strategy: number, posting: string): Uint8Array =>
  new Bun.CryptoHasher("sha256").update(before).update(`${id}:${strategy}:${posting}`).digest()

/** The last row: where the next one is hung on. */
export const last = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* rows.all(
    sql`SELECT id, strategy_id AS strategy, posting, hash FROM ledger ORDER BY id DESC LIMIT 1`
  )
  return found ?? ROOT
})

/** Rows to be hung on `before`, in their order. */
export const extend = (
  before: Pick<Link, "id" | "hash">,
  postings: ReadonlyArray<{ readonly strategy: number; readonly posting: string }>
): ReadonlyArray<Link> => {
  let { hash, id } = before
  return postings.map(({ posting, strategy }) => {
    id++
    hash = hashOf(hash, id, strategy, posting)
    return { id, strategy, posting, hash }
  })
}

/** Every row that was altered, moved, or stands behind missing ones. Each is judged by the stored hash before it. */
export function* broken(database: Database): Generator<Finding & { readonly strategy: number }> {
  let before = ROOT
  const rows = database.query("SELECT id, strategy_id AS strategy, posting, hash FROM ledger ORDER BY id")
  for (const row of rows.iterate()) {
    const link = decodeLink(row)
    const { id, strategy } = link
    if (id !== before.id + 1) {
      const gap = id === before.id + 2 ? `row ${id - 1} is` : `rows ${before.id + 1} to ${id - 1} are`
      yield { strategy, table: "ledger", row: id, text: `${gap} missing before it` }
    } else if (Buffer.compare(hashOf(before.hash, id, strategy, link.posting), link.hash) !== 0)
      yield {
        strategy,
        table: "ledger",
        row: id,
        text: "it was altered: it does not fit its place in the chain"
      }
    before = link
  }
}

/** The hash of the last row, in hex. */
export const head = (database: Database): string => {
  const row = database.query("SELECT hash FROM ledger ORDER BY id DESC LIMIT 1").get()
  const { hash } = row === null ? ROOT : decodeHead(row)
  return Buffer.from(hash).toString("hex")
}
