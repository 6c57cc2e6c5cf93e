// Writes one batch of alerts to Postgres by its function `signalbox_append`: one statement, one commit.
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { extrasOf, hasExtras } from "../domain/Alert.ts"
import type { Remembered } from "../services/Journal.ts"
import type { Batch } from "../sql/journal/JournalBatch.ts"
import { numbers, shortened, texts } from "./client/ArrayText.ts"
import type { Connections, Lent } from "./client/Connections.ts"
import { isFatal, sqlErrorOf } from "./client/PostgresError.ts"

/** A batch as a process appends it: a number that it uses once, and the last alert that the batch was planned by. */
export interface Appending {
  readonly writer: string
  readonly number: number
  readonly expected: number
  readonly batch: Batch
}

/** The types of the parameters, in their sequence. */
const TYPES =
  "text bigint bigint bigint[] bigint[] bigint[] text[] text[] text[] float8[] float8[] bigint[] text[] text[] text[] text[] bigint[] text[] text[] bigint[] bigint[] bigint[] text[] bigint[] text[] bigint[] bigint[]"
const STATEMENT = `SELECT signalbox_append(${TYPES.split(" ")
  .map((type, index) => `$${index + 1}::${type}`)
  .join(", ")}) AS before`

/** Stores the batch. Returns the last alert before it; -1 if a key is remembered otherwise than `recall` says. */
export const append = (
  connections: typeof Connections.Service,
  appending: Appending,
  recall: (name: string) => Remembered | undefined
): Effect.Effect<number, SqlError> =>
  Effect.flatMap(connections.lend, (lent) =>
    Effect.tryPromise({
      try: () => send(lent, parametersOf(appending, recall)),
      catch: sqlErrorOf
    })
  ).pipe(Effect.uninterruptible)

/** Each alert waits for this: it goes to the driver without the layers of a client of SQL. */
const send = async ({ client, giveBack }: Lent, values: Array<unknown>): Promise<number> => {
  let isBroken = true
  try {
    const { rows } = await client.query<{ readonly before: number }>({
      name: "append",
      text: STATEMENT,
      values
    })
    isBroken = false
    return rows[0]?.before ?? -1
  } catch (cause) {
    isBroken = isFatal(cause)
    throw cause
  } finally {
    giveBack(isBroken)
  }
}

const parametersOf = (
  { batch, expected, number, writer }: Appending,
  recall: (name: string) => Remembered | undefined
) => {
  const { alerts, incoming, repeats, seen } = batch
  const keys = [...batch.keys.values()]
  return [
    writer,
    number,
    expected,
    numbers(alerts.map(({ account }) => account)),
    numbers(alerts.map(({ token }) => token)),
    numbers(alerts.map(({ signalId }) => signalId)),
    texts(alerts.map(({ coin }) => coin)),
    texts(alerts.map(({ quoteCurrency }) => quoteCurrency)),
    texts(alerts.map(({ type }) => type)),
    numbers(shortened(alerts.map(({ tp }) => Option.getOrNull(tp)))),
    numbers(shortened(alerts.map(({ sl }) => Option.getOrNull(sl)))),
    numbers(alerts.map(({ receivedAt }) => receivedAt)),
    texts(alerts.map(({ warnings }) => JSON.stringify(warnings))),
    texts(shortened(incoming.map((it) => it?.door ?? null))),
    texts(shortened(incoming.map((it) => it?.body ?? null))),
    texts(shortened(alerts.map((alert) => (hasExtras(alert) ? JSON.stringify(extrasOf(alert)) : null)))),
    numbers(keys.map(({ account }) => account)),
    texts(keys.map(({ key }) => key)),
    texts(keys.map(({ body }) => body)),
    numbers(keys.map(({ alert }) => alert)),
    numbers(keys.map(({ expiresAt }) => expiresAt)),
    numbers([...seen.values()].map(({ account }) => account)),
    texts([...seen.values()].map(({ key }) => key)),
    numbers([...seen.keys()].map((name) => recall(name)?.alert ?? null)),
    texts([...seen.keys()].map((name) => recall(name)?.body ?? null)),
    numbers([...repeats.keys()]),
    numbers([...repeats.values()])
  ]
}
