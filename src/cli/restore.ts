// `signalbox restore`: verifies a backup and puts it in the place of a stopped server's database, which is kept.
// Afterwards entries are halted and nothing is armed.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { placeOf } from "../sql/ExchangeAccounts.ts"
import { sealedOf, placeOf as targetPlace } from "../sql/rows/TargetRows.ts"
import * as Restore from "../sqlite/backups/Restore.ts"
import * as Checkup from "../sqlite/Checkup.ts"
import { sources } from "../vault/Sources.ts"
import * as Vault from "../vault/Vault.ts"
import { inOneLine } from "./program/databaseErrors.ts"
import { database, fileOf, json } from "./program/shared.ts"
import { document, faulty, notSound } from "./verify.ts"

const force = Options.boolean("force").pipe(
  Options.withDescription("replace an existing database, which is kept under a dated name")
)

/** Warns of secrets that cannot be unlocked here: the master key is in no backup. */
const sayLocked = Effect.fnUntraced(function* (db: string) {
  const { exchangeAccounts, targets } = yield* Checkup.read(db)
  const { open } = Vault.of(yield* Effect.orDie(sources))
  const [shut] = yield* Effect.partition(exchangeAccounts, (account) =>
    Effect.mapError(open(placeOf(account.account, account.id, account.exchange), account), () => account.name)
  )
  if (shut.length > 0)
    yield* Console.log(
      `  The keys of ${shut.join(", ")} cannot be unlocked here, because backups hold no master key. Copy the master key from the old machine, or enter new keys: signalbox account rekey NAME`
    )
  const [silent] = yield* Effect.partition(targets, (target) => {
    const sealed = sealedOf(target)
    return sealed === undefined
      ? Effect.void
      : Effect.mapError(open(targetPlace(target), sealed), () => target.id)
  })
  if (silent.length > 0)
    yield* Console.log(
      `  Notifications that cannot be unlocked here: ${silent.join(", ")}. Copy the master key from the old machine, or add them again: signalbox notify add`
    )
})

export const restore = Command.make(
  "restore",
  {
    file: Args.text({ name: "file" }).pipe(Args.withDescription("a file that signalbox backup wrote")),
    force,
    json,
    db: database
  },
  ({ db: place, file, force, json }) =>
    Effect.gen(function* () {
      const db = yield* fileOf(
        place,
        "restore it with pg_restore or psql; the next start finds that it was restored, and halts entries"
      )
      const { aside, verdict } = yield* inOneLine(file)(Restore.restore(file, db, { force }))
      const { faults, head, rows } = verdict
      if (json) yield* Console.log(JSON.stringify({ file, kept: aside ?? null, ...document(db, verdict) }))
      else if (faults.length > 0) yield* Console.log(faulty(verdict))
      else {
        const kept = aside === undefined ? "" : `\n  The database that was there before is kept as ${aside}`
        yield* Console.log(
          `${db} is restored from ${file} and verified: ${rows.alerts} alerts, ${rows.trades} trades of ${rows.bots} bots.\n` +
            `  ${rows.ledger} ledger rows; the head of their chain is ${head}${kept}\n` +
            "  Entries are halted, and no strategy is armed: compare with your exchanges, then run signalbox resume"
        )
      }
      if (faults.length > 0) return yield* notSound(`nothing was changed: ${file}`, verdict)
      if (!json) yield* sayLocked(db)
    })
)
