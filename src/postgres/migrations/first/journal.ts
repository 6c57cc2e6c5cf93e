// The journal. Its ids are dense and in the sequence of commits: one row has the last of them, and whoever appends
// locks it until the commit. Times are ms.
import { ID, TEXT } from "./types.ts"

/** The channel of appended alerts. */
export const ALERTS = "signalbox_alerts"

const tables = [
  // No reference to the signal: an alert outlives its signal. Accounts and tokens are never deleted; `signalbox_append` looks
  // once for a whole batch whether they are there, because a reference would look twice for each alert.
  `CREATE TABLE alerts (
    id bigint PRIMARY KEY,
    account bigint NOT NULL,
    token bigint NOT NULL,
    signal_id bigint NOT NULL,
    coin ${TEXT} NOT NULL,
    quote ${TEXT} NOT NULL,
    type ${TEXT} NOT NULL,
    tp float8,
    sl float8,
    received_at bigint NOT NULL,
    repeats bigint NOT NULL DEFAULT 0,
    warnings ${TEXT} NOT NULL DEFAULT '[]',
    door ${TEXT},
    body ${TEXT},
    extras ${TEXT}
  )`,
  "CREATE INDEX alerts_of_account ON alerts (account, id)",
  `CREATE TABLE alert_keys (
    account bigint NOT NULL,
    key ${TEXT} NOT NULL,
    body ${TEXT} NOT NULL,
    alert_id bigint NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (account, key)
  )`,
  "CREATE INDEX alert_keys_by_expiry ON alert_keys (expires_at)",
  // One row, written by each append: room in its page keeps it from growing.
  `CREATE TABLE journal (id bigint PRIMARY KEY CHECK (id = 1), last bigint NOT NULL) WITH (fillfactor = 10)`,
  "INSERT INTO journal (id, last) VALUES (1, 0)",
  // Each writer's last batch, and the alert before it: the same batch again, or one that it gave up, stores nothing.
  `CREATE TABLE journal_writers (
    node ${TEXT} PRIMARY KEY,
    batch bigint NOT NULL,
    before bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
  ) WITH (fillfactor = 10)`,
  `CREATE TABLE probe (id ${ID}, filler bytea NOT NULL)`,
  `CREATE TABLE outcomes (
    alert_id bigint NOT NULL,
    strategy_id bigint NOT NULL,
    account bigint NOT NULL,
    reason ${TEXT} NOT NULL,
    at bigint NOT NULL,
    facts ${TEXT},
    PRIMARY KEY (alert_id, strategy_id)
  )`,
  `CREATE TABLE waiting (
    alert_id bigint NOT NULL,
    strategy_id bigint NOT NULL,
    owner bigint NOT NULL,
    since bigint NOT NULL,
    PRIMARY KEY (alert_id, strategy_id)
  )`
]

/** How `append` finds rows of tables that grow, in SQL. */
export interface Lookups {
  /** More variables. */
  readonly declared: string
  /** Joins `mine` with the keys that are remembered otherwise. */
  readonly changed: string
  /** The senders without an account or a token. */
  readonly strangers: string
  /** Counts the repeats of alerts. */
  readonly repeat: string
}

/** By joins, up to version 3. */
export const JOINED: Lookups = {
  declared: "",
  changed: `        JOIN alert_keys ON alert_keys.account = mine.account AND alert_keys.key = mine.key
        WHERE alert_keys.alert_id IS DISTINCT FROM mine.known OR alert_keys.body IS DISTINCT FROM mine.text`,
  strangers: `        WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = a)
          OR NOT EXISTS (SELECT 1 FROM tokens WHERE tokens.id = t)`,
  repeat: `      UPDATE alerts SET repeats = repeats + mine.times
        FROM unnest(repeat_alerts, repeat_counts) AS mine (alert, times)
        WHERE alerts.id = CASE WHEN mine.alert > expected THEN mine.alert - expected + head ELSE mine.alert END;`
}

/**
 * Stores a batch, and returns the last alert before it; -1 where a key of the batch is remembered otherwise than the
 * writer believes, and nothing is stored. The writer has planned the batch as if `expected` were the last alert: ids
 * beyond are the batch's own, and move with it. Its first statement waits for the lock on the head; each later one sees
 * what was committed before it, and thus before the lock. Every statement costs as much as several alerts: those that most
 * batches do not need are left out. `isTold` is a condition in SQL: only where it holds does an append notify other
 * processes.
 */
export const append = (
  isTold: string,
  { changed, declared, repeat, strangers }: Lookups
): string => `CREATE OR REPLACE FUNCTION signalbox_append(
    writer text, number bigint, expected bigint,
    accounts bigint[], tokens bigint[], signals bigint[], coins text[], quotes text[], types text[],
    tps float8[], sls float8[], times bigint[], warned text[], doors text[], bodies text[], more text[],
    key_accounts bigint[], key_texts text[], key_bodies text[], key_alerts bigint[], key_ends bigint[],
    seen_accounts bigint[], seen_texts text[], seen_alerts bigint[], seen_bodies text[], repeat_alerts bigint[], repeat_counts bigint[]
  ) RETURNS bigint LANGUAGE plpgsql AS $body$
  DECLARE
    head bigint;
    done bigint;
    count CONSTANT bigint := cardinality(accounts);
${declared}  BEGIN
    UPDATE journal SET last = last + count RETURNING last - count INTO STRICT head;
    UPDATE journal_writers SET batch = number, before = head, at = clock_timestamp()
      WHERE node = writer AND batch < number;
    IF NOT FOUND THEN
      SELECT before INTO done FROM journal_writers WHERE node = writer;
      IF FOUND THEN
        UPDATE journal SET last = head;
        RETURN done;
      END IF;
      INSERT INTO journal_writers (node, batch, before) VALUES (writer, number, head);
    END IF;
    IF cardinality(seen_accounts) > 0 AND EXISTS (
      SELECT 1 FROM unnest(seen_accounts, seen_texts, seen_alerts, seen_bodies) AS mine (account, key, known, text)
${changed}
    ) THEN
      UPDATE journal SET last = head;
      UPDATE journal_writers SET batch = number - 1 WHERE node = writer;
      RETURN -1;
    END IF;
    IF EXISTS (
      SELECT 1 FROM (SELECT DISTINCT a, t FROM unnest(accounts, tokens) AS mine (a, t)) AS senders
${strangers}
    ) THEN RAISE EXCEPTION 'an alert of nobody' USING ERRCODE = 'foreign_key_violation'; END IF;
    INSERT INTO alerts (id, account, token, signal_id, coin, quote, type, tp, sl, received_at, warnings, door, body, extras)
      SELECT head + place, a, t, s, c, q, y, tp, sl, r, w, d, b, x
      FROM unnest(accounts, tokens, signals, coins, quotes, types, tps, sls, times, warned, doors, bodies, more)
        WITH ORDINALITY AS mine (a, t, s, c, q, y, tp, sl, r, w, d, b, x, place);
    IF cardinality(key_accounts) > 0 THEN
      INSERT INTO alert_keys (account, key, body, alert_id, expires_at)
        SELECT account, key, body, CASE WHEN alert > expected THEN alert - expected + head ELSE alert END, ends
        FROM unnest(key_accounts, key_texts, key_bodies, key_alerts, key_ends) AS mine (account, key, body, alert, ends)
        ON CONFLICT (account, key) DO UPDATE
          SET body = excluded.body, alert_id = excluded.alert_id, expires_at = excluded.expires_at;
    END IF;
    IF cardinality(repeat_alerts) > 0 THEN
${repeat}
    END IF;
    IF ${isTold} THEN
      PERFORM pg_notify('${ALERTS}', (head + count) || ':' || writer);
    END IF;
    RETURN head;
  END
  $body$`

/** Something was appended, and there are nodes to hear of it. */
export const HAS_NODES = "count > 0 AND EXISTS (SELECT 1 FROM nodes)"

/** The tables of the journal, and the function that appends to it. */
export const journal = [...tables, append("count > 0", JOINED)]
