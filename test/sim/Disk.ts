// Where a simulated world keeps its rows: a file, or a database of a Postgres server.
import { Effect, type Layer, Option, Redacted } from "effect"
import type { Identity } from "../../src/domain/Account.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import type { Idempotency } from "../../src/services/Idempotency.ts"
import type { Journal } from "../../src/services/Journal.ts"
import type { Markets } from "../../src/services/Markets.ts"
import type { Halts } from "../../src/services/money/Halts.ts"
import type { Orders } from "../../src/services/money/Orders.ts"
import type { Portfolio } from "../../src/services/Portfolio.ts"
import type { Trades } from "../../src/services/records/Trades.ts"
import type { Signals } from "../../src/services/Signals.ts"
import type { StrategyStore } from "../../src/services/StrategyStore.ts"
import type { Timeline } from "../../src/services/Timeline.ts"
import type { EndOfTurn } from "../../src/sql/journal/JournalQueue.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import type { World } from "./World.ts"

/** The ports whose rows it keeps. */
export type Stored =
  | Halts
  | Idempotency
  | Journal
  | Markets
  | Orders
  | Portfolio
  | Signals
  | StrategyStore
  | Timeline
  | Trades

/** The database of one run. */
export interface Disk {
  /** The stored ports of one life of the server. */
  readonly layer: (endOfTurn: EndOfTurn) => Layer.Layer<Stored, unknown>
  /** The committed rows of a query, whose values stand at its question marks. */
  readonly rows: <Row>(sql: string, ...values: ReadonlyArray<string | number>) => ReadonlyArray<Row>
  /** A crash: uncommitted changes are lost. */
  readonly cut: () => void
  /** From now on nothing can be stored. */
  readonly fill: () => void
  readonly makeRoom: () => void
  /** Resolves once a statement that is on its way is answered; undefined where none is, and time may pass. */
  readonly pending: () => Promise<void> | undefined
  /** Resolves once a promise that goes on has gone on; undefined where none does. Nothing else may happen before. */
  readonly stirred?: () => Promise<void> | undefined
  readonly close: () => Promise<void>
  /** What happens to a database on a server of its own: one blow at random. A start may fail there. */
  readonly strike?: (world: World, dice: SeededRandom) => void
}

/** The initial database of all runs. */
export interface Template {
  readonly people: readonly [Identity, Identity]
  readonly neighbours: readonly [Identity, Identity]
  /** Whether a seed gives the same world each time: a server beside this process answers when it likes. */
  readonly repeats: boolean
  readonly open: () => Promise<Disk>
  readonly close: () => Promise<void>
}

const person = (name: string) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { secret } = yield* accounts.issue(name, "full", Option.none())
    return yield* Effect.flatten(accounts.authenticate(Redacted.value(secret)))
  })

/** Everybody who has an account in a world. */
export const people = Effect.map(
  Effect.all([person("ann"), person("bob"), person("carl"), person("dora")]),
  ([ann, bob, carl, dora]) => ({ people: [ann, bob], neighbours: [carl, dora] }) as const
)
