// Checks the database file: damage, version, journal mode, and whether it came from a backup.
import type { Checkup } from "../../sqlite/Checkup.ts"
import { VERSION } from "../../sqlite/Migrations.ts"
import { moment } from "../program/table.ts"
import { type Check, fail, GUIDE, ok, type Say } from "./Check.ts"

export const database = (
  file: string,
  checkup: Checkup,
  isServed: boolean,
  say: Say
): ReadonlyArray<Check> => {
  const { damage, journal, restored, version } = checkup
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
    ...(restored === undefined
      ? []
      : [
          ok(
            "restored",
            `from ${restored.file} on ${moment(restored.at)} UTC; what came after that backup is not in it`
          )
        ])
  ]
}
