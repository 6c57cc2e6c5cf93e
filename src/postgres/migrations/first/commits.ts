// The functions that store a commit of the engine. Each statement of a function sees what was committed before it, and
// thus before the locks that it takes.

/** The code of a commit whose partitions are not as the process believes; nothing of it is stored. */
export const MOVED = "SB001"

/**
 * Notes a commit in its partitions, and keeps those for it until the transaction ends. Every partition must be the
 * process', in its epoch, and where its last commit left it. A cursor that is null stays.
 */
const fence = `CREATE FUNCTION signalbox_fence(
    process text, name text, ids bigint[], epochs bigint[], seqs bigint[], cursors bigint[]
  ) RETURNS void LANGUAGE plpgsql AS $body$
  DECLARE
    moved bigint;
  BEGIN
    UPDATE partitions
      SET seq = partitions.seq + 1, last = name, cursor = coalesce(held.cursor, partitions.cursor)
      FROM unnest(ids, epochs, seqs, cursors) AS held (id, epoch, seq, cursor)
      WHERE partitions.id = held.id AND partitions.owner = process
        AND partitions.epoch = held.epoch AND partitions.seq = held.seq;
    GET DIAGNOSTICS moved = ROW_COUNT;
    IF moved < cardinality(ids) THEN
      RAISE EXCEPTION 'the partitions have moved on' USING ERRCODE = '${MOVED}';
    END IF;
  END
  $body$`

/**
 * Adds postings to the chains of their partitions. Ids of the ledger are dense: whoever adds to it keeps it until the
 * commit. A chain's hash is SHA-256 of the hash before, the row's place, its strategy and its posting.
 */
const post = `CREATE FUNCTION signalbox_post(
    posting_partitions bigint[], posting_strategies bigint[], posting_texts text[]
  ) RETURNS void LANGUAGE plpgsql AS $body$
  DECLARE
    mine record;
    chain bigint;
    end_place bigint;
    end_hash bytea;
    newest bigint;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('ledger', 0));
    SELECT coalesce(max(id), 0) INTO newest FROM ledger;
    FOR mine IN SELECT partition, strategy, posting
      FROM unnest(posting_partitions, posting_strategies, posting_texts)
        WITH ORDINALITY AS given (partition, strategy, posting, step) ORDER BY partition, step
    LOOP
      IF chain IS DISTINCT FROM mine.partition THEN
        chain := mine.partition;
        SELECT place, hash INTO end_place, end_hash FROM ledger
          WHERE ledger.partition = chain ORDER BY place DESC LIMIT 1;
        IF NOT FOUND THEN
          end_place := 0;
          SELECT hash INTO end_hash FROM ledger WHERE ledger.partition IS NULL ORDER BY id DESC LIMIT 1;
          end_hash := sha256(coalesce(end_hash, decode(repeat('00', 32), 'hex'))
            || convert_to('partition ' || chain, 'UTF8'));
        END IF;
      END IF;
      newest := newest + 1;
      end_place := end_place + 1;
      end_hash := sha256(end_hash
        || convert_to(end_place || ':' || mine.strategy || ':' || mine.posting, 'UTF8'));
      INSERT INTO ledger (id, partition, place, strategy_id, posting, hash)
        VALUES (newest, chain, end_place, mine.strategy, mine.posting, end_hash);
    END LOOP;
  END
  $body$`

/** Of the engine's rows: bots, orders with their statuses, fills, and trades. `changing` changes the statuses. */
export const trade = (changing: string): string => `CREATE OR REPLACE FUNCTION signalbox_trade(
    bot_ids bigint[], bot_steps bigint[], bot_states text[], bot_tallies text[],
    order_ids text[], order_strategies bigint[], order_intents text[], order_statuses text[],
    changed_orders text[], changed_statuses text[],
    fill_strategies bigint[], fill_texts text[],
    trade_accounts bigint[], trade_strategies bigint[], trade_texts text[]
  ) RETURNS void LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO bots (strategy_id, step, state, tally)
      SELECT * FROM unnest(bot_ids, bot_steps, bot_states, bot_tallies)
      ON CONFLICT (strategy_id) DO UPDATE
        SET step = excluded.step, state = excluded.state, tally = excluded.tally;
    INSERT INTO orders (id, strategy_id, intent, status)
      SELECT id, strategy, intent, status FROM unnest(order_ids, order_strategies, order_intents, order_statuses)
        WITH ORDINALITY AS given (id, strategy, intent, status, step) ORDER BY step;
${changing}
    INSERT INTO fills (strategy_id, fill)
      SELECT strategy, fill FROM unnest(fill_strategies, fill_texts)
        WITH ORDINALITY AS given (strategy, fill, step) ORDER BY step;
    INSERT INTO trades (account, strategy_id, trade)
      SELECT account, strategy, trade FROM unnest(trade_accounts, trade_strategies, trade_texts)
        WITH ORDINALITY AS given (account, strategy, trade, step) ORDER BY step;
  END
  $body$`

/**
 * Of the engine's rows: held alerts, outcomes with their counts by day, and notes. An outcome ends the holding, which
 * `ending` does.
 */
export const judge = (ending: string): string => `CREATE OR REPLACE FUNCTION signalbox_judge(
    wait_alerts bigint[], wait_strategies bigint[], wait_owners bigint[], wait_times bigint[],
    outcome_alerts bigint[], outcome_strategies bigint[], outcome_accounts bigint[], outcome_reasons text[],
    outcome_times bigint[], outcome_facts text[],
    note_accounts bigint[], note_strategies bigint[], note_times bigint[], note_rules text[],
    note_alerts bigint[], note_reasons text[], note_texts text[], note_facts text[]
  ) RETURNS void LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO waiting (alert_id, strategy_id, owner, since)
      SELECT * FROM unnest(wait_alerts, wait_strategies, wait_owners, wait_times)
      ON CONFLICT (alert_id, strategy_id) DO UPDATE SET owner = excluded.owner, since = excluded.since;
    INSERT INTO outcomes (alert_id, strategy_id, account, reason, at, facts)
      SELECT * FROM unnest(outcome_alerts, outcome_strategies, outcome_accounts, outcome_reasons,
        outcome_times, outcome_facts);
${ending}
    INSERT INTO outcome_days (account, day, reason, count)
      SELECT account, at / 86400000, reason, count(*)
        FROM unnest(outcome_accounts, outcome_times, outcome_reasons) AS given (account, at, reason)
        GROUP BY 1, 2, 3
      ON CONFLICT (account, day, reason) DO UPDATE SET count = outcome_days.count + excluded.count;
    INSERT INTO timeline (account, strategy_id, at, rule, alert_id, reason, text, facts)
      SELECT account, strategy, at, rule, alert, reason, text, facts
        FROM unnest(note_accounts, note_strategies, note_times, note_rules, note_alerts, note_reasons, note_texts,
          note_facts) WITH ORDINALITY AS given (account, strategy, at, rule, alert, reason, text, facts, step)
        ORDER BY step;
  END
  $body$`

/** How both find their rows up to version 3. */
const JOINED = {
  changing: `    UPDATE orders SET status = given.status
      FROM unnest(changed_orders, changed_statuses) AS given (id, status) WHERE orders.id = given.id;`,
  ending: `    DELETE FROM waiting USING unnest(outcome_alerts, outcome_strategies) AS given (alert, strategy)
      WHERE waiting.alert_id = given.alert AND waiting.strategy_id = given.strategy;`
}

/** The functions of commits. */
export const commits = [fence, post, trade(JOINED.changing), judge(JOINED.ending)]
