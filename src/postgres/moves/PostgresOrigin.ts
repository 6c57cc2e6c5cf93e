// A database of Postgres as the source of a move: nobody serves it, and nobody writes to it until it is marked as moved.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ChangeWatch } from "../../sql/client/ChangeWatch.ts"
import { DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import type { Origin } from "../../sql/moves/Move.ts"
import * as MoveRows from "../../sql/moves/MoveRows.ts"
import { OWN, type Table } from "../../sql/moves/MoveTable.ts"
import { type Options, shown } from "../client/Address.ts"
import * as Client from "../client/Client.ts"
import * as Snapshot from "../client/Snapshot.ts"
import * as Lease from "../Lease.ts"
import * as Migrations from "../Migrations.ts"
import * as Verify from "../Verify.ts"
import * as PostgresEnd from "./PostgresEnd.ts"

/** Holds the lease of a database, brought to this program's version; its moves do not matter. */
export const leased = (options: Options) => {
  const name = shown(options.url)
  return Lease.layer({ node: options.node, shown: name }).pipe(
    Layer.provideMerge(Migrations.layer({ shown: name })),
    Layer.provideMerge(Client.layer(options)),
    Layer.provide(ChangeWatch.layer)
  )
}

/** Opens a database as the source of a move, under its lease. */
export const open = Effect.fn("PostgresOrigin.open")(function* (options: Options) {
  const name = shown(options.url)
  const version = yield* Migrations.found(name).pipe(
    Effect.provide(Layer.provideMerge(Client.layer(options), ChangeWatch.layer))
  )
  if (version === 0)
    return yield* new DatabaseUnavailable({ filename: name, reason: "it holds no tables of Signalbox" })
  const held = yield* Layer.build(leased(options))
  const standing = yield* Effect.provide(MoveRows.standing, held)
  const client = yield* Snapshot.connect(options)
  const tables = yield* PostgresEnd.attempt(options, async () => {
    await client.query("BEGIN")
    const tables = await PostgresEnd.tablesOf(client)
    await client.query("SET LOCAL lock_timeout = '5s'")
    await client.query(`LOCK TABLE ${lockedOf(tables)} IN EXCLUSIVE MODE`)
    return tables
  })
  return {
    ...PostgresEnd.make(client, options, tables),
    standing,
    verify: Verify.verify(options),
    leave: ({ at, id }, to) =>
      PostgresEnd.attempt(options, async () => {
        await client.query("DELETE FROM moves WHERE role = 'source'")
        await client.query(
          "INSERT INTO moves (id, at, role, other, finished) VALUES ($1, $2, 'source', $3, 1)",
          [id, at, to]
        )
        await client.query("COMMIT")
      })
  } satisfies Origin
})

/** All tables that are moved, and the journal's last id: readers go on, and writers wait. */
const lockedOf = (tables: ReadonlyArray<Table>): string =>
  [...tables.map(({ name }) => name).filter((name) => !OWN.has(name)), "journal"]
    .map(PostgresEnd.quoted)
    .join(", ")
