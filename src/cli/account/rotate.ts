// `signalbox account rotate-key`: makes a new master key and seals every secret with it, all or none (the steps are
// in vault/Rotation.ts).
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Database } from "../../domain/requests/Database.ts"
import * as Records from "../../Records.ts"
import * as Resealing from "../../sql/sealing/Resealing.ts"
import * as KeyFile from "../../vault/KeyFile.ts"
import * as MasterKey from "../../vault/MasterKey.ts"
import * as Rotation from "../../vault/Rotation.ts"
import { type Sources, sources } from "../../vault/Sources.ts"
import * as Vault from "../../vault/Vault.ts"
import { database, json, onStored } from "../program/shared.ts"
import { usage } from "../program/usage.ts"
import { AccountFailed } from "./Reach.ts"

const newKeyFile = Options.text("new-key-file").pipe(
  Options.optional,
  Options.withDescription(
    "file for the new key, written if it does not exist; only for a master key of systemd or the environment"
  )
)

export const rotateKey = Command.make("rotate-key", { newKeyFile, json, db: database }, (options) =>
  Effect.gen(function* () {
    const places = yield* Effect.orDie(sources)
    const origin = yield* MasterKey.find(places)
    if (Option.isNone(origin)) return yield* MasterKey.read(places)
    const before = yield* MasterKey.readFrom(origin.value)
    const work =
      origin.value._tag === "File"
        ? inPlace(places, origin.value.path, options.newKeyFile)
        : elsewhere(places, options.newKeyFile, options.db)
    const { accounts, id, left, notifications, where } = yield* work
    if (options.json)
      return yield* Console.log(
        JSON.stringify({
          ...{ before: before.id, now: id, file: where, sealed: accounts, left: left.accounts },
          ...{ notifications, notifications_left: left.notifications }
        })
      )
    const rest = leftWords(left)
    const next =
      origin.value._tag === "File"
        ? ""
        : `\nNow put ${where} in the place of the old key (${MasterKey.describe(origin.value)}), and only then start the server.`
    yield* Console.log(
      `${sealedWords(accounts, notifications)} sealed with master key ${id} (${where}); older backups can only be unlocked with ${before.id}.${rest}${next}`
    )
  }).pipe(onStored(options.db))
).pipe(
  Command.withDescription("make a new master key, and seal all accounts' keys and all notifications with it")
)

const sealedWords = (accounts: number, notifications: number): string => {
  const words = [
    `${accounts} ${accounts === 1 ? "account" : "accounts"}`,
    ...(notifications === 0
      ? []
      : [`${notifications} ${notifications === 1 ? "notification" : "notifications"}`])
  ]
  return `${words.join(" and ")} ${accounts + notifications === 1 ? "is" : "are"}`
}

const leftWords = ({ accounts, notifications }: Resealing.Resealed["left"]): string => {
  const ofAccounts =
    accounts.length === 0
      ? ""
      : `\n${accounts.join(", ")} could not be unlocked before either, and were not changed: signalbox account rekey NAME`
  return notifications.length === 0
    ? ofAccounts
    : `${ofAccounts}\nNotifications that could not be unlocked before either: ${notifications.join(", ")}; remove them and add them again`
}

/** Replaces a master key in a file. A running server can read every secret during all steps. */
const inPlace = Effect.fnUntraced(function* (places: Sources, path: string, named: Option.Option<string>) {
  if (Option.isSome(named))
    return yield* usage(
      `--new-key-file cannot be used here: the master key is in ${path}, and the new one replaces it`
    )
  const vault = Vault.of(places)
  const next = yield* Rotation.begin(path)
  const to = { id: next.id, vault: Vault.make(Effect.succeed(next)) }
  const first = yield* Resealing.reseal(vault, to)
  yield* Rotation.swap(path)
  // Seals again what a server sealed with the old key between the first pass and the swap.
  const second = yield* Resealing.reseal(vault, to)
  yield* Rotation.end(path)
  return {
    ...{ id: next.id, where: path, left: second.left },
    accounts: first.accounts + second.accounts,
    notifications: first.notifications + second.notifications
  }
})

/**
 * Replaces a master key of systemd or the environment, which only its owner can change there. The server must be
 * stopped until then.
 */
const elsewhere = Effect.fnUntraced(function* (places: Sources, named: Option.Option<string>, db: Database) {
  if (Option.isNone(named)) return yield* usage("give the file for the new key with --new-key-file")
  if (yield* Records.isServed(db))
    return yield* new AccountFailed({
      message: "stop the server first: it could not unlock anything until it has the new master key"
    })
  const path = named.value
  yield* KeyFile.write(path, yield* MasterKey.draw)
  const next = yield* MasterKey.readFrom({ _tag: "File", path })
  const to = { id: next.id, vault: Vault.make(Effect.succeed(next)) }
  return { id: next.id, where: path, ...(yield* Resealing.reseal(Vault.of(places), to)) }
})
