// Tells every process of what it may hold in memory: whoever writes, and by whatever program. Each change has a number. The
// words name the table, who wrote, and the number, so that a process need not drop what it wrote itself.
//
// The words may be lost, or come late: whoever listens asks for the numbers as well. They are drawn before their changes can
// be read, and so the asking tells up to which number nothing is missing, as readers of timelines find it (see there):
//
// 1. Before a transaction draws its first number, it takes a shared lock whose key is the last number that was given out by
//    then. The lock goes with the transaction, after its changes can be read.
// 2. Whoever asks takes the last number that was given out, then looks for those locks: up to the least of these, every
//    change can be read, or was undone.

import { LOCKS as TIMELINE_LOCKS } from "./timeline.ts"

/** The channel of changes. */
export const CHANGES = "signalbox_changes"

/** Tables that are cached, and for updates the columns that are read from there, where not all are. */
const CACHED: ReadonlyArray<readonly [table: string, columns?: string]> = [
  ["tokens", "account, scope, expires_at, revoked_at"],
  ["signals"],
  ["strategies"],
  ["followings"],
  ["halts"],
  ["exchange_switches"],
  ["market_switches"],
  ["market_refreshes"],
  ["notification_targets", "name, kinds, sealed, revision"],
  ["exchange_accounts", "account, name, exchange, sandbox, sealed_with, nonce, sealed"],
  ["mandates"],
  ["chats"],
  ["chat_codes"]
]

/** The first half of such a lock's key is this number and more, up to that of timelines. */
const LOCKS = 536_870_912

/** The last number that was given out. */
const GIVEN = "SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END"

/** The functions and the triggers. */
export const changes = [
  "CREATE SEQUENCE changes",
  `CREATE FUNCTION signalbox_tell_of_change() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE
    given bigint;
  BEGIN
    IF coalesce(current_setting('signalbox.change', true), '') = '' THEN
      ${GIVEN} INTO given FROM changes;
      PERFORM pg_advisory_xact_lock_shared((${LOCKS} + (given >> 32))::int, given::bit(32)::int);
      PERFORM set_config('signalbox.change', given::text, true);
    END IF;
    PERFORM pg_notify('${CHANGES}',
      TG_TABLE_NAME || ':' || current_setting('application_name') || ':' || nextval('changes'));
    RETURN NULL;
  END
  $body$`,
  `CREATE FUNCTION signalbox_changes() RETURNS bigint LANGUAGE plpgsql AS $body$
  DECLARE
    given bigint;
    open bigint;
  BEGIN
    ${GIVEN} INTO given FROM changes;
    SELECT min(((classid::bigint - ${LOCKS}) << 32) | objid::bigint) INTO open FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 2 AND classid::bigint BETWEEN ${LOCKS} AND ${TIMELINE_LOCKS - 1}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
    RETURN least(given, open);
  END
  $body$`,
  ...CACHED.map(
    ([table, columns]) => `CREATE TRIGGER tell_of_change
    AFTER INSERT OR DELETE OR UPDATE ${columns === undefined ? "" : `OF ${columns} `}ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION signalbox_tell_of_change()`
  )
]
