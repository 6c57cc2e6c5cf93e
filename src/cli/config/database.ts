// What a command line may not say of databases: two of them, a file and one of Postgres; and a password, which every user
// of the machine can read there while a server runs.
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { SETTINGS } from "../../Config.ts"
import { holdsPassword } from "../../domain/requests/Database.ts"
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

/** Warns of a password on the command line of a server, without showing it. */
export const warnOfPassword = (args: ReadonlyArray<string>): Effect.Effect<void> => {
  const option = `--${database.name}`
  const isGiven = args.some((word, index) =>
    holdsPassword(args[index - 1] === option ? word : word.replace(`${option}=`, ""))
  )
  return isGiven && args.includes("serve")
    ? Console.error(
        `signalbox: warning: the password in ${option} shows in this machine's list of processes: put the address into ${database.variable} instead`
      )
    : Effect.void
}
