// Signals, strategies, and who follows which signal for which alerts.
import { PARTITIONS } from "../../../domain/Partition.ts"
import { bit, ID, TEXT } from "./types.ts"

/** The tables of signals and strategies. */
export const strategies = [
  `CREATE TABLE signals (
    id ${ID},
    account bigint NOT NULL REFERENCES accounts (id),
    name ${TEXT} NOT NULL,
    description ${TEXT} NOT NULL,
    ${bit("active")},
    ${bit("public")},
    display_name ${TEXT},
    rule ${TEXT},
    rule_version bigint NOT NULL DEFAULT 0,
    rule_made_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  )`,
  "CREATE INDEX signals_of_account ON signals (account, id)",
  // How far the rules of signals were looked at: `place` is a market's key, or `schedule`, and times are ms.
  `CREATE TABLE rule_progress (
    signal_id bigint NOT NULL REFERENCES signals (id) ON DELETE CASCADE,
    place ${TEXT} NOT NULL,
    version bigint NOT NULL,
    looked_at bigint NOT NULL,
    PRIMARY KEY (signal_id, place)
  )`,
  // Alerts of rules that wait for one from outside, or have waited: `ended_at` is null while they do.
  `CREATE TABLE rule_witnesses (
    key ${TEXT} PRIMARY KEY,
    signal_id bigint NOT NULL REFERENCES signals (id) ON DELETE CASCADE,
    version bigint NOT NULL,
    mode ${TEXT} NOT NULL,
    at bigint NOT NULL,
    due_at bigint NOT NULL,
    instruction ${TEXT} NOT NULL,
    origin ${TEXT} NOT NULL,
    ended_at bigint
  )`,
  "CREATE INDEX rule_witnesses_of_signal ON rule_witnesses (signal_id)",
  "CREATE INDEX rule_witnesses_by_due ON rule_witnesses (due_at) WHERE ended_at IS NULL",
  "CREATE INDEX rule_witnesses_by_end ON rule_witnesses (ended_at) WHERE ended_at IS NOT NULL",
  `CREATE TABLE strategies (
    id ${ID},
    account bigint NOT NULL REFERENCES accounts (id),
    signal_id bigint,
    copied_from bigint,
    settings ${TEXT} NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    revision bigint NOT NULL DEFAULT 0
  )`,
  "CREATE INDEX strategies_of_account ON strategies (account, id)",
  // What an engine reads when it takes over a partition.
  `CREATE INDEX strategies_of_partition ON strategies ((account % ${PARTITIONS}))`,
  "CREATE INDEX strategies_of_signal ON strategies (signal_id, id) WHERE signal_id IS NOT NULL",
  "CREATE INDEX strategies_followers ON strategies (signal_id, account) WHERE signal_id IS NOT NULL",
  // `until` in ms; `revision` is the strategy's while it had the settings.
  `CREATE TABLE past_settings (
    strategy_id bigint NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    revision bigint NOT NULL,
    until bigint NOT NULL,
    settings ${TEXT} NOT NULL,
    PRIMARY KEY (strategy_id, revision)
  )`,
  // Times in ms.
  `CREATE TABLE what_if_tries (
    strategy_id bigint NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    digest ${TEXT} NOT NULL,
    from_at bigint NOT NULL,
    until_at bigint NOT NULL,
    at bigint NOT NULL,
    changes ${TEXT} NOT NULL,
    net ${TEXT} NOT NULL,
    trades bigint NOT NULL,
    sharpe double precision NOT NULL,
    PRIMARY KEY (strategy_id, digest, from_at)
  )`,
  `CREATE TABLE followings (
    id ${ID},
    signal_id bigint NOT NULL,
    strategy_id bigint NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    account bigint NOT NULL,
    from_alert bigint NOT NULL,
    until_alert bigint
  )`,
  "CREATE INDEX followings_of_signal ON followings (signal_id, until_alert)",
  "CREATE INDEX followings_of_strategy ON followings (strategy_id)",
  "CREATE UNIQUE INDEX followings_present ON followings (strategy_id) WHERE until_alert IS NULL",
  "CREATE INDEX followings_past ON followings (until_alert) WHERE until_alert IS NOT NULL",
  // Times in ms.
  `CREATE TABLE timeline (
    id ${ID},
    strategy_id bigint NOT NULL,
    at bigint NOT NULL,
    rule ${TEXT} NOT NULL,
    alert_id bigint,
    reason ${TEXT},
    text ${TEXT} NOT NULL,
    facts ${TEXT} NOT NULL DEFAULT '{}',
    account bigint
  )`,
  "CREATE INDEX timeline_of_strategy ON timeline (strategy_id, id)",
  "CREATE INDEX timeline_of_account ON timeline (account, id) WHERE account IS NOT NULL"
]
