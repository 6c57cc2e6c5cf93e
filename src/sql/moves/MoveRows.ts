// What a database knows of its move to another one: the source says where everything went, and is not to be used again;
// a target is not to be used before its move has finished.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { DatabaseUnavailable } from "../client/DatabaseErrors.ts"
import { orDie } from "../client/SqlErrors.ts"
import * as Rows from "../rows/Rows.ts"

/** One end of a move. Both ends have its id. */
export const MoveRow = Schema.Struct({
  move: Schema.String,
  /** When it began (ms). */
  at: Schema.Int,
  role: Schema.Literal("source", "target"),
  /** The other end: the path of a file, or an address without user and password. */
  other: Schema.String,
  finished: Rows.Bit
})
export type MoveRow = typeof MoveRow.Type

/** Reads moves; `verify` reads with it too. */
export const rows = Rows.reader(MoveRow)

export const COLUMNS = "id AS move, at, role, other, finished"
/** The newest first. */
export const MOVES = `SELECT ${COLUMNS} FROM moves ORDER BY at DESC, id`

/** What the moves of a database say about it now. */
export type Standing =
  | { readonly _tag: "Usable" }
  | { readonly _tag: "Moved"; readonly move: MoveRow }
  | { readonly _tag: "Unfinished"; readonly move: MoveRow }

/** A source stays one for ever; of the moves to a database only an unfinished one matters. */
export const standingOf = (moves: ReadonlyArray<MoveRow>): Standing => {
  const away = moves.find(({ role }) => role === "source")
  if (away !== undefined) return { _tag: "Moved", move: away }
  const open = moves.find(({ finished, role }) => role === "target" && !finished)
  return open === undefined ? { _tag: "Usable" } : { _tag: "Unfinished", move: open }
}

/** The standing of a database that is open. */
export const standing: Effect.Effect<Standing, never, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.map(rows.all(sql.unsafe(MOVES)), standingOf)
)

/** Why a database may not be used; undefined where it may. */
export const refusalOf = (standing: Standing): string | undefined => {
  switch (standing._tag) {
    case "Usable":
      return undefined
    case "Moved":
      return `it was moved to ${standing.move.other} on ${dayOf(standing.move)}: use that one. This one is kept as it was then, and verify still reads it`
    case "Unfinished":
      return `it holds an unfinished move from ${standing.move.other}, which is still as it was: run signalbox move again`
  }
}

const dayOf = ({ at }: MoveRow): string => new Date(at).toISOString().slice(0, 10)

/** A move that was refused or that failed: the source is as it was. */
export class MoveRefused extends Data.TaggedError("MoveRefused")<{ readonly message: string }> {}

/** Who wants to move to a database. */
export interface Claim {
  readonly id: string
  readonly at: number
  /** The source, as it is shown. */
  readonly from: string
  readonly source: Standing
}

/**
 * Why a database may not be the target of a move; undefined where it may. It has to be empty, or to hold an unfinished
 * move from the same source. A source that was marked as moved already goes on with its own move only.
 */
export const claimRefusal = (
  claim: Claim,
  target: { readonly standing: Standing; readonly holdsRows: boolean }
): string | undefined => {
  const { holdsRows, standing } = target
  const isOwn = standing._tag === "Unfinished" && standing.move.other === claim.from
  if (claim.source._tag === "Moved") {
    const isSame = isOwn && standing.move.move === claim.source.move.move
    return isSame ? undefined : `${claim.from} cannot be moved: ${refusalOf(claim.source)}`
  }
  if (claim.source._tag === "Unfinished") return `${claim.from} cannot be moved: ${refusalOf(claim.source)}`
  if (standing._tag === "Moved") return `${refusalOf(standing)}`
  if (standing._tag === "Unfinished" && !isOwn)
    return `it holds an unfinished move from ${standing.move.other}: finish that one, or take an empty database`
  return standing._tag === "Usable" && holdsRows
    ? "it holds records already: a move needs a database without any"
    : undefined
}

/** The row of a target whose move has begun. */
export const unfinished = ({ at, from, id }: Claim): MoveRow => ({
  move: id,
  at,
  role: "target",
  other: from,
  finished: false
})

/** Refuses a database that was moved away, and one whose move has not finished. */
export const refuse = (filename: string): Effect.Effect<void, DatabaseUnavailable, SqlClient.SqlClient> =>
  Effect.flatMap(standing, (it) => {
    const reason = refusalOf(it)
    return reason === undefined ? Effect.void : new DatabaseUnavailable({ filename, reason })
  })

/** The same as a layer. */
export const layer = (filename: string): Layer.Layer<never, DatabaseUnavailable, SqlClient.SqlClient> =>
  Layer.effectDiscard(refuse(filename))

/** Stores this end of a move, in place of an earlier one in the same role. */
export const record = ({ at, finished, move, other, role }: MoveRow) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.asVoid(
      orDie(
        sql.withTransaction(
          Effect.zipRight(
            sql`DELETE FROM moves WHERE role = ${role}`,
            sql`INSERT INTO moves (id, at, role, other, finished)
              VALUES (${move}, ${at}, ${role}, ${other}, ${Rows.bit(finished)})`
          )
        )
      )
    )
  )
