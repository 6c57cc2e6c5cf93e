// Checks the database file: damage, version, journal mode, and whether it came from a backup.
import { DatabaseNewer, type DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import type { Checkup } from "../../sqlite/Checkup.ts"
import { VERSION } from "../../sqlite/Migrations.ts"
import { moment } from "../program/table.ts"
import { type Check, fail, GUIDE, ok, type Say, warn } from "./Check.ts"
import type { Findings } from "./PostgresCheckup.ts"

export const database = (
  file: string,
  checkup: Checkup,
  isServed: boolean,
  say: Say
): ReadonlyArray<Check> => {
  const { damage, journal, version } = checkup
  if (damage !== undefined) {
    const text = `${file} is damaged: ${damage}`
    return [
      fail(
        "database",
        text,
        `stop the server, and put a backup in its place: ${say("restore BACKUP --force")}`,
        GUIDE.restore
      )
    ]
  }
  const state = isServed ? "served now" : "not served now"
  const age =
    version < VERSION ? `version ${version}, which serve migrates to ${VERSION}` : `version ${version}`
  const mode = journal === "wal" ? "" : `, journal ${journal}`
  return [
    ok("database", `${file} is intact, ${age}, ${state}${mode}; ${say("verify")} checks its books`),
    ...restored(checkup)
  ]
}

/** Whether the records came from a backup. */
export const restored = ({ restored }: Pick<Checkup, "restored">): ReadonlyArray<Check> =>
  restored === undefined
    ? []
    : [
        ok(
          "restored",
          `from ${restored.file} on ${moment(restored.at)} UTC; what came after that backup is not in it`
        )
      ]

/** A database of Postgres that answers: whether it holds records, and of which version. */
export const contentOf = (
  name: string,
  {
    found,
    isServed,
    say,
    version
  }: {
    readonly found: Findings | undefined
    readonly isServed: boolean
    readonly say: Say
    readonly version: number
  }
): Check => {
  const state = isServed ? "served now" : "not served now"
  if (version === 0)
    return warn("database", `${name} holds no records yet`, `${say("serve")} makes them`, GUIDE.postgresSetup)
  return found === undefined
    ? warn(
        "database",
        `${name} is of version ${version}, ${state}`,
        `${say("serve")} brings it up to this program's version`,
        GUIDE.upgrades
      )
    : ok("database", `${name} is of version ${version}, ${state}; ${say("verify")} checks its books`)
}

/** A database of Postgres that does not answer, or is none of ours. */
export const unreachable = (error: DatabaseNewer | DatabaseUnavailable): Check =>
  fail(
    "database",
    error.message,
    error instanceof DatabaseNewer
      ? "use a newer program"
      : "start the Postgres server, or repair the address in SIGNALBOX_DATABASE or --database",
    GUIDE.postgres
  )
