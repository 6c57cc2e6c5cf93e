// Refuses a command line whose settings name two databases: a file and one of Postgres.
import * as Effect from "effect/Effect"
import { SETTINGS } from "../../Config.ts"
import { type UsageError, usage } from "../program/usage.ts"

const { database, db } = SETTINGS

/** Fails if both `--db` and `--database` are given, by whatever source. `values` are the variables and the file. */
export const refuseBoth = (
  args: ReadonlyArray<string>,
  values: ReadonlyMap<string, string>
): Effect.Effect<void, UsageError> => {
  const placeOf = ({ name, variable }: { readonly name: string; readonly variable: string }) => {
    if (args.some((word) => word === `--${name}` || word.startsWith(`--${name}=`))) return `--${name}`
    return values.has(variable) ? variable : undefined
  }
  const [file, address] = [placeOf(db), placeOf(database)]
  return file === undefined || address === undefined
    ? Effect.void
    : usage(`${file} names a file, and ${address} a database of Postgres: give one of them`)
}
