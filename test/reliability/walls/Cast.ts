// Two accounts on one server, with records of every kind that one may try to reach of the other's.
import { Served, token } from "../Program.ts"
import { change } from "../Rows.ts"
import { Person } from "./Person.ts"
import type { Noun } from "./Routes.ts"

/** Marks in Bob's private and in his public records. Ann may never read the first one. */
export const PRIVATE = "BOBSECRET"
export const PUBLIC = "BOBPUBLIC"

/** Records for Ann's requests: Bob's private one, his public one, a deleted one, and one of her own. */
export interface Targets {
  readonly foreignPrivate: number
  readonly foreignPublic: number
  readonly foreignDeleted: number
  readonly ownDeleted: number
}

export interface Cast {
  readonly server: Served
  readonly ann: Person
  readonly bob: Person
  /** Ann's token for alerts. */
  readonly hook: Person
  /** The id of a new exchange account, whose sealed keys no master key opens. */
  readonly connect: (account: "ann" | "bob") => number
  readonly targets: Readonly<Record<Noun, Targets>>
  readonly close: () => Promise<void>
}

const NO_LIMITS = ["--crud-rate", "0", "--alert-rate", "0", "--allow-private-targets"]

const PLURALS = { signal: "signals", strategy: "strategies", notification: "notifications" } as const

export const cast = async (db: string, args: ReadonlyArray<string> = []): Promise<Cast> => {
  const server = await Served.start(db, [...NO_LIMITS, ...args])
  const person = async (account: string, scope: "full" | "alerts") =>
    new Person(server.port, await token(db, account, scope))
  const ann = await person("ann", "full")
  const hook = await person("ann", "alerts")
  const bob = await person("bob", "full")
  const gone = async (who: Person, noun: keyof typeof PLURALS) => {
    const id = await who.make(noun, {})
    await who.ask("DELETE", `/v1/${PLURALS[noun]}/${id}`)
    return id
  }
  const of = async (noun: "signal" | "strategy"): Promise<Targets> => ({
    foreignPrivate: await bob.make(noun, { name: `${PRIVATE} ${noun}`, description: PRIVATE }),
    foreignPublic: await bob.make(noun, {
      name: `${PUBLIC} ${noun}`,
      description: PUBLIC,
      display_name: PUBLIC,
      public: true
    }),
    foreignDeleted: await gone(bob, noun),
    ownDeleted: await gone(ann, noun)
  })
  const signal = await of("signal")
  const strategy = await of("strategy")
  // A strategy of Bob's follows his signal, so that there are outcomes and timeline entries. It does not list the
  // coin, so that nothing changes by itself afterwards.
  const follower = await bob.make("strategy", { name: PRIVATE, signal_id: signal.foreignPrivate })
  const alertTo = (signal_id: number) => bob.make("alert", { signal_id, coin: PRIVATE })
  const alert: Targets = {
    foreignPrivate: await alertTo(signal.foreignPrivate),
    foreignPublic: await alertTo(signal.foreignPublic),
    foreignDeleted: await alertTo(signal.foreignPrivate),
    ownDeleted: 0
  }
  const notification: Targets = {
    foreignPrivate: await bob.make("notification", { name: PRIVATE }),
    foreignPublic: await bob.make("notification", { name: PRIVATE }),
    foreignDeleted: await gone(bob, "notification"),
    ownDeleted: await gone(ann, "notification")
  }
  const connect = (account: "ann" | "bob") => connected(db, account)
  const lost = (account: "ann" | "bob") => connected(db, account, true)
  const exchangeAccount: Targets = {
    foreignPrivate: connect("bob"),
    foreignPublic: connect("bob"),
    foreignDeleted: lost("bob"),
    ownDeleted: lost("ann")
  }
  await settled(bob, follower)
  return {
    server,
    ann,
    bob,
    hook,
    connect,
    targets: { signal, strategy, alert, notification, exchange_account: exchangeAccount },
    close: async () => {
      for (const { line } of [ann, bob, hook]) line.close()
      await server.stop()
    }
  }
}

/** Waits until the bots have decided about both alerts. */
const settled = async (bob: Person, strategy: number): Promise<void> => {
  for (let tries = 0; tries < 200; tries++) {
    const timeline = await bob.ask("GET", `/v1/strategies/${strategy}/timeline`)
    if ((timeline?.body.toString().match(/pair_not_listed/g)?.length ?? 0) >= 2) return
    await Bun.sleep(20)
  }
  throw new Error("bob's alerts were never decided")
}

let connections = 0

/** Writes the row beside the server, as the command does; `isGone` deletes it again. */
const connected = (db: string, account: string, isGone = false): number => {
  const name = `${account === "bob" ? PRIVATE : "hers"}-${++connections}`
  const id = Number(
    change(
      db,
      `INSERT INTO exchange_accounts (account, name, exchange, sandbox, sealed_with, nonce, sealed, created_at)
        VALUES ((SELECT id FROM accounts WHERE name = '${account}'), '${name}', 'binance', 0, '00000000',
          zeroblob(12), zeroblob(64), 1)
        RETURNING id`
    )
  )
  if (isGone) change(db, `DELETE FROM exchange_accounts WHERE id = ${id}`)
  return id
}
