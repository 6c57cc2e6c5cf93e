// Where the engine of lives keeps its rows: in memory, or in a database of Postgres.
import type { Layer } from "effect"
import type * as Memory from "../../../src/Memory.ts"
import type { ExchangeAccounts } from "../../../src/services/ExchangeAccounts.ts"
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import type { Rows } from "./Rows.ts"

/** The ports that an engine of lives is built on. */
export type Ports = ExchangeAccounts | Layer.Layer.Success<typeof Memory.ports>

export interface Storage {
  /** The ports of one engine. */
  readonly ports: Layer.Layer<Ports, unknown>
  readonly rows: Rows
  /** Lets the storage suffer until told to stop; undefined where it cannot. Resolves with how often it did. */
  readonly unrest: ((dice: SeededRandom, isOver: () => boolean) => Promise<string>) | undefined
  /** What is wrong with the rows themselves, in the end. */
  readonly flaws: () => Promise<ReadonlyArray<string>>
}
