// The rows of idempotency keys: a response under its account and key, for a day.
import type * as SqlClient from "@effect/sql/SqlClient"
import type { AccountId } from "../../domain/Account.ts"
import { IDEMPOTENCY_HOURS, type KeyedAnswer } from "../../services/Idempotency.ts"

const SPAN_MILLIS = IDEMPOTENCY_HOURS * 3_600_000

/** The statement that stores a response from a time (ms) on. */
export const insert = (
  sql: SqlClient.SqlClient,
  account: AccountId,
  { answer, key, request }: KeyedAnswer,
  now: number
) =>
  sql`INSERT INTO idempotency (account, key, request, status, location, body, expires_at)
    VALUES (${account}, ${key}, ${request}, ${answer.status}, ${answer.location ?? null}, ${answer.body},
      ${now + SPAN_MILLIS})
    ON CONFLICT (account, key) DO UPDATE SET request = excluded.request, status = excluded.status,
      location = excluded.location, body = excluded.body, expires_at = excluded.expires_at`
