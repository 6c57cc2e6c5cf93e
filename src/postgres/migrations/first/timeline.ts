// How far readers may read timelines that many transactions write at once. Ids come from a sequence, so that nobody waits
// for anybody, and rows become visible in another sequence than their ids: a reader that goes on from the newest id it
// saw would miss what commits late. So:
//
// 1. Before a transaction's first insert, a trigger takes a shared lock whose key is the last id that was given out by
//    then: all ids of the transaction are greater. The lock goes with the transaction, after its rows are visible.
// 2. A reader takes the last id that was given out, then looks for those locks, then reads. An id up to the former that
//    is not visible yet belongs to a transaction that still holds a lock with a smaller key.
// 3. So everything up to the least of these is final: it is visible, or will never be.
//
// Shared locks never wait, and a transaction that was undone leaves numbers out, not rows. There is no NOTIFY here: it
// would make all commits of the server's engines wait for one another.

/** The first half of such a lock's key is this number and more; those of changes are below it. */
export const LOCKS = 1_073_741_824

/** The last id that was given out. */
const GIVEN = "SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END"

/**
 * `final`: the newest entry before which nothing is missing; `newest`: the newest one; `alert`: the last alert, which is read
 * last, so that an entry's alert is never beyond it. Each statement sees what was committed before it.
 */
export const events = ({ final, newest }: Readonly<Record<"final" | "newest", string>>): string =>
  `CREATE OR REPLACE FUNCTION signalbox_events(OUT final bigint, OUT newest bigint, OUT alert bigint) LANGUAGE plpgsql AS $body$
  DECLARE
    given bigint;
    open bigint;
  BEGIN
    ${GIVEN} INTO given FROM timeline_id_seq;
    SELECT min(((classid::bigint - ${LOCKS}) << 32) | objid::bigint) INTO open FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 2 AND classid::bigint >= ${LOCKS}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
    ${final}
    ${newest}
    SELECT last INTO STRICT alert FROM journal;
  END
  $body$`

/** The functions of timelines and events. */
export const timeline = [
  `CREATE FUNCTION signalbox_timeline_writes() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE
    given bigint;
  BEGIN
    IF coalesce(current_setting('signalbox.timeline', true), '') = '' THEN
      ${GIVEN} INTO given FROM timeline_id_seq;
      PERFORM pg_advisory_xact_lock_shared((${LOCKS} + (given >> 32))::int, given::bit(32)::int);
      PERFORM set_config('signalbox.timeline', given::text, true);
    END IF;
    RETURN NULL;
  END
  $body$`,
  // Before the statement: its rows' ids are drawn later.
  `CREATE TRIGGER writes BEFORE INSERT ON timeline
    FOR EACH STATEMENT EXECUTE FUNCTION signalbox_timeline_writes()`,
  events({
    final: "SELECT coalesce(max(id), 0) INTO final FROM timeline WHERE id <= least(given, open);",
    newest: "SELECT coalesce(max(id), 0) INTO newest FROM timeline;"
  })
]
