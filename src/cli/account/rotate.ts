import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Checkup from "../../sqlite/Checkup.ts"
import * as Resealing from "../../sqlite/sealing/Resealing.ts"
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
    "where the new key is, or is to be written; for a master key of systemd or the environment"
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
        : `\nNow put ${where} in the place of the old one (${MasterKey.describe(origin.value)}), and only then start the server.`
    yield* Console.log(
      `${sealedWords(accounts, notifications)} sealed with master key ${id} (${where}); what older backups hold opens only with ${before.id}.${rest}${next}`
    )
  }).pipe(onStored(options.db))
).pipe(
  Command.withDescription(
    "make a new master key, and seal the keys of every account, and every notification, anew, all or none"
  )
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
      : `\n${accounts.join(", ")} did not open before either, and stayed as they were: signalbox account rekey NAME`
  return notifications.length === 0
    ? ofAccounts
    : `${ofAccounts}\nNotifications that did not open before either: ${notifications.join(", ")}; remove them, and add them anew`
}

/** A server that runs meanwhile opens what it needs all the time. */
const inPlace = Effect.fnUntraced(function* (places: Sources, path: string, named: Option.Option<string>) {
  if (Option.isSome(named))
    return yield* usage(
      `--new-key-file is for other places: the master key is in ${path}, and so will be the new one`
    )
  const vault = Vault.of(places)
  const next = yield* Rotation.begin(path)
  const to = { id: next.id, vault: Vault.make(Effect.succeed(next)) }
  const first = yield* Resealing.reseal(vault, to)
  yield* Rotation.swap(path)
  // What was sealed between the two with the key that was still in its place.
  const second = yield* Resealing.reseal(vault, to)
  yield* Rotation.end(path)
  return {
    ...{ id: next.id, where: path, left: second.left },
    accounts: first.accounts + second.accounts,
    notifications: first.notifications + second.notifications
  }
})

/** What the server reads is not ours to change: until its owner has, it could open nothing. */
const elsewhere = Effect.fnUntraced(function* (places: Sources, named: Option.Option<string>, db: string) {
  if (Option.isNone(named))
    return yield* usage("say with --new-key-file where the new key is, or is to be written")
  if (Checkup.isServed(db))
    return yield* new AccountFailed({
      message: "stop the server first: it could not open a key before it has the new master key"
    })
  const path = named.value
  yield* KeyFile.write(path, yield* MasterKey.draw)
  const next = yield* MasterKey.readFrom({ _tag: "File", path })
  const to = { id: next.id, vault: Vault.make(Effect.succeed(next)) }
  return { id: next.id, where: path, ...(yield* Resealing.reseal(Vault.of(places), to)) }
})
