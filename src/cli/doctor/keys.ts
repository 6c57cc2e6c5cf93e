// Checks the master key, and whether it unlocks every exchange account and notification.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { placeOf, type SealedAccount } from "../../sql/ExchangeAccounts.ts"
import { type SealedTarget, sealedOf, placeOf as targetPlace } from "../../sql/rows/TargetRows.ts"
import * as MasterKey from "../../vault/MasterKey.ts"
import type { Sources } from "../../vault/Sources.ts"
import * as Vault from "../../vault/Vault.ts"
import { moment } from "../program/table.ts"
import { type Check, fail, GUIDE, ok, type Say, warn } from "./Check.ts"

const DAY = 86_400
/** A check of an account older than this is reported (in seconds). */
const STALE = 90 * DAY

/** All sealed rows of a database. */
export interface SealedRows {
  readonly accounts: ReadonlyArray<SealedAccount>
  readonly targets: ReadonlyArray<SealedTarget>
}

/** Why each exchange account's keys do not open with the master key of these places; those that open are absent. */
export const lockedIn = Effect.fnUntraced(function* (
  places: Sources,
  accounts: ReadonlyArray<SealedAccount>
) {
  const { open } = Vault.of(places)
  const opened = yield* Effect.forEach(accounts, (account) =>
    Effect.either(open(placeOf(account.account, account.id, account.exchange), account))
  )
  return new Map(
    opened.flatMap((it, index) => {
      const account = accounts[index]
      return it._tag === "Left" && account !== undefined ? [[account.id, it.left.message]] : []
    })
  )
})

/** Checks all of them. `now` is in seconds. */
export const keys = Effect.fnUntraced(function* (
  places: Sources,
  { accounts, targets }: SealedRows,
  now: number,
  say: Say
) {
  const origin = yield* MasterKey.find(places)
  const unsealed = targets.filter(({ key }) => key === null)
  // Nothing is sealed: most installations trade on paper and have no notifications.
  if (Option.isNone(origin) && accounts.length === 0 && targets.length === unsealed.length)
    return unsealed.length === 0 ? [] : [asTheyAre(unsealed.length)]
  const read = yield* Effect.either(MasterKey.read(places))
  const key: Check =
    read._tag === "Right" && Option.isSome(origin)
      ? ok("keys", `master key ${read.right.id}, ${MasterKey.describe(origin.value)}`)
      : fail(
          "keys",
          read._tag === "Left" ? read.left.message : "there is no master key",
          accounts.length > 0
            ? "without it no order can be sent or cancelled"
            : "without it no notification can be sent",
          GUIDE.masterKey
        )
  const { open } = Vault.of(places)
  const locked = yield* lockedIn(places, accounts)
  const faults =
    read._tag === "Left"
      ? []
      : accounts.flatMap((account) => judged(account, locked.get(account.id), now, say))
  const whole = accounts.length - faults.length
  const [shut] = yield* Effect.partition(targets, (target) => {
    const sealed = sealedOf(target)
    const { id, name, owner } = target
    return sealed === undefined
      ? Effect.void
      : Effect.mapError(open(targetPlace(target), sealed), ({ message }) =>
          warn(
            "keys",
            `notification ${id}, ${name} of ${owner}, is locked: ${message}`,
            again(id, say),
            GUIDE.notifications
          )
        )
  })
  return [
    key,
    ...faults,
    ...(whole > 0 && read._tag === "Right" ? [ok("keys", words(whole))] : []),
    ...(read._tag === "Left" ? [] : shut),
    ...(unsealed.length === 0 ? [] : [asTheyAre(unsealed.length)])
  ]
})

const again = (id: number, say: Say) => `add it again, and then: ${say(`notify remove ${id}`)}`

const asTheyAre = (count: number): Check =>
  warn(
    "keys",
    `the addresses and secrets of ${count} ${count === 1 ? "notification" : "notifications"} are stored unsealed`,
    "start the server once with a folder that it can write a master key to (HOME or XDG_CONFIG_HOME), or with SIGNALBOX_MASTER_KEY",
    GUIDE.notifications
  )

/** Warns of old copies of the database that hold unsealed secrets. */
export const kept = (files: ReadonlyArray<string>): ReadonlyArray<Check> =>
  files.map((file) =>
    warn(
      "keys",
      `${file} holds addresses and secrets of notifications unsealed`,
      "delete it unless you may go back to the previous version",
      GUIDE.notifications
    )
  )

const words = (count: number) =>
  `${count} exchange ${count === 1 ? "account can be unlocked, and was" : "accounts can be unlocked, and were"} fine at the last check`

const judged = (
  { checkedAt, createdAt, exchange, name, owner, problem }: SealedAccount,
  locked: string | undefined,
  now: number,
  say: Say
): ReadonlyArray<Check> => {
  const who = `${name} of ${owner} (${exchange})`
  const again = say(`account check ${name} --owner ${owner}`)
  if (locked !== undefined)
    return [
      fail(
        "keys",
        `${who} is locked: ${locked}`,
        say(`account rekey ${name} --owner ${owner}`),
        GUIDE.masterKey
      )
    ]
  if (Option.isSome(problem)) {
    const at = Option.match(checkedAt, { onNone: () => "", onSome: (at) => ` on ${moment(at)}` })
    return [warn("keys", `${who} failed its check${at}: ${problem.value}`, again, GUIDE.keys)]
  }
  const last = Option.getOrElse(checkedAt, () => createdAt)
  if (Option.isNone(checkedAt)) return [warn("keys", `${who} was never checked`, again, GUIDE.keys)]
  return last + STALE < now
    ? [warn("keys", `${who} was last checked on ${moment(last)}`, again, GUIDE.keys)]
    : []
}
