// The port of chats that are paired with an account, with its in-memory layer: who may talk to which bot, the one-time
// codes that pair, and how far each bot's updates were carried out.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { AccountId } from "../../domain/Account.ts"
import * as SignInCode from "../../domain/internal/SignInCode.ts"
import {
  type Cursor,
  MAX_PAIRINGS,
  type Pairing,
  PairingId,
  PairingNotFound,
  PairingRefused,
  type Person
} from "../../domain/notify/Chat.ts"
import { type TargetId, TargetNotFound } from "../../domain/Target.ts"
import * as ChangeSignal from "../records/ChangeSignal.ts"
import { MemoryState, nowSeconds, type State } from "../records/MemoryState.ts"
import { digestOf, drawCode, type Issued, type Kept, matching } from "../records/SignInCodes.ts"

/**
 * Paired chats. A port. A bot may stand in several targets: what concerns a bot names all of them.
 *
 * **An implementation keeps**
 *
 * - Scope: an account sees and removes its own pairings; `find` and `redeem` look at the given targets alone. A pairing
 *   and a code end with their target.
 * - Secrets: of a code only the SHA-256 is stored; it counts for ten minutes, to the second, and pairs once, of many
 *   concurrent calls too. A refusal does not use it up.
 * - Repeats: a person who pairs the same chat again has one pairing, the new one.
 * - Bounds: `MAX_PAIRINGS` and ten waiting codes for an account; one more code drops the oldest.
 * - Bell: `changed` never misses a code or a pairing that came after `needed` was read, of another process too.
 *
 * **Proved by** `ChatsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Chats extends Context.Tag("signalbox/services/notify/Chats")<
  Chats,
  {
    /** Issues a code that pairs a chat with the bot of the caller's own target. */
    readonly issue: (account: AccountId, target: number) => Effect.Effect<Issued, TargetNotFound>
    /** Uses up a code of one of these targets; none where it is malformed, unknown, used or too old. */
    readonly redeem: (
      targets: ReadonlyArray<TargetId>,
      code: string,
      person: Person
    ) => Effect.Effect<Option.Option<Pairing>, PairingRefused>
    /** Lists the caller's own, by creation. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Pairing>>
    /** Finds the pairing of a person in a chat with the bot of these targets. */
    readonly find: (
      targets: ReadonlyArray<TargetId>,
      person: Pick<Person, "chat" | "user">
    ) => Effect.Effect<Option.Option<Pairing>>
    readonly remove: (account: AccountId, id: number) => Effect.Effect<void, PairingNotFound>
    /** The targets with a pairing or a code that still counts, by id: only their bots have to be listened to. */
    readonly needed: Effect.Effect<ReadonlyArray<Needed>>
    /** Waits until `needed` may have grown or shrunk since it was read. There is one listener. */
    readonly changed: Effect.Effect<void>
    /** How far a bot's updates were carried out; none before the first. `bot` is the messenger's id of the bot. */
    readonly cursor: (bot: string) => Effect.Effect<Option.Option<Cursor>>
    readonly advance: (bot: string, cursor: Cursor) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(Chats, Effect.map(MemoryState, inMemory))
}

/** A target whose bot has to be listened to, with its owner. */
export interface Needed {
  readonly account: AccountId
  readonly target: TargetId
}

interface Code extends Kept, Needed {}

/** The tables of the layer in memory. */
interface Tables {
  codes: ReadonlyArray<Code>
  pairings: ReadonlyArray<Pairing>
  readonly changes: ChangeSignal.Changes
  /** Drops what has lost its target, or its time; returns the time, in seconds. */
  readonly tidied: Effect.Effect<number>
}

const tablesOf = ({ targets }: State): Tables => {
  const tables: Tables = {
    codes: [],
    pairings: [],
    changes: ChangeSignal.ofChanges(),
    tidied: Effect.map(nowSeconds, (now) => {
      tables.pairings = tables.pairings.filter(({ target }) => targets.has(target))
      tables.codes = tables.codes.filter(({ expiresAt, target }) => expiresAt > now && targets.has(target))
      return now
    })
  }
  return tables
}

function inMemory(state: State): typeof Chats.Service {
  const tables = tablesOf(state)
  const { changes, tidied } = tables
  const cursors = new Map<string, Cursor>()
  return Chats.of({
    ...codesInMemory(state, tables),
    list: Effect.fn("Chats.list")((account) =>
      Effect.map(tidied, () => tables.pairings.filter((one) => one.account === account))
    ),
    find: Effect.fn("Chats.find")((targets, person) =>
      Effect.map(tidied, () =>
        Option.fromNullable(
          tables.pairings.filter(isOf(person)).find(({ target }) => targets.includes(target))
        )
      )
    ),
    remove: Effect.fn("Chats.remove")(function* (account, id) {
      yield* tidied
      const found = tables.pairings.find((one) => one.id === id && one.account === account)
      if (found === undefined) return yield* new PairingNotFound()
      tables.pairings = tables.pairings.filter((one) => one !== found)
      changes.changed()
    }),
    needed: Effect.suspend(() => {
      changes.reading()
      return Effect.map(tidied, () => {
        const all = [...tables.pairings, ...tables.codes]
        return [...new Map(all.map(({ account, target }) => [target, account]))]
          .map(([target, account]) => ({ account, target }))
          .sort((one, other) => one.target - other.target)
      })
    }),
    changed: changes.rings,
    cursor: Effect.fn("Chats.cursor")((bot) => Effect.sync(() => Option.fromNullable(cursors.get(bot)))),
    advance: Effect.fn("Chats.advance")((bot, cursor) => Effect.sync(() => void cursors.set(bot, cursor)))
  })
}

const codesInMemory = (state: State, tables: Tables): Pick<typeof Chats.Service, "issue" | "redeem"> => ({
  issue: Effect.fn("Chats.issue")(function* (account, id) {
    const target = state.targets.get(id)
    if (target?.account !== account) return yield* new TargetNotFound()
    const expiresAt = (yield* tables.tidied) + SignInCode.MAX_AGE_SECONDS
    const code = drawCode()
    const own = tables.codes.filter((one) => one.account === account).slice(1 - SignInCode.MAX_CODES)
    const others = tables.codes.filter((one) => one.account !== account)
    tables.codes = [...others, ...own, { account, target: target.id, expiresAt, digest: digestOf(code) }]
    tables.changes.changed()
    return { code: Redacted.make(code), expiresAt }
  }),
  redeem: Effect.fn("Chats.redeem")(function* (targets, text, person) {
    const pairedAt = yield* tables.tidied
    const ofBot = ({ target }: Needed) => targets.includes(target)
    const code = matching(tables.codes.filter(ofBot), text)
    if (code === undefined) return Option.none()
    const { account, target } = code
    yield* refusalOf(tables.pairings, targets, { ...person, account })
    const pairing = { id: PairingId.make(state.nextId("chats")), account, target, ...person, pairedAt }
    const others = tables.pairings.filter((one) => !(ofBot(one) && isOf(person)(one)))
    tables.codes = tables.codes.filter((one) => one !== code)
    tables.pairings = [...others, pairing]
    tables.changes.changed()
    return Option.some(pairing)
  })
})

const isOf =
  ({ chat, user }: Pick<Person, "chat" | "user">) =>
  (pairing: Pairing): boolean =>
    pairing.chat === chat && pairing.user === user

/** Fails where a person may not pair this chat: the rule that every implementation keeps. */
export const refusalOf = (
  pairings: ReadonlyArray<Pairing>,
  targets: ReadonlyArray<TargetId>,
  { account, chat, user }: Person & { readonly account: AccountId }
): Effect.Effect<void, PairingRefused> => {
  const sameChat = pairings.filter((one) => one.chat === chat && targets.includes(one.target))
  if (sameChat.some((one) => one.account !== account)) return new PairingRefused({ reason: "taken" })
  const others = pairings.filter(
    (one) => one.account === account && !(sameChat.includes(one) && one.user === user)
  )
  return others.length >= MAX_PAIRINGS ? new PairingRefused({ reason: "full" }) : Effect.void
}
