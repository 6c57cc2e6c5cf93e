// Accounts, their tokens and sessions, what they are told, and what was answered to them. Times are seconds, where a
// column's comment says nothing else.
import { bit, ID, TEXT } from "./types.ts"

/** The tables of people. */
export const people = [
  `CREATE TABLE accounts (id ${ID}, name ${TEXT} NOT NULL UNIQUE, created_at bigint NOT NULL)`,
  `CREATE TABLE tokens (
    id ${ID},
    account bigint NOT NULL REFERENCES accounts (id),
    scope ${TEXT} NOT NULL CHECK (scope IN ('full', 'alerts')),
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at bigint NOT NULL,
    expires_at bigint,
    last_used_at bigint,
    revoked_at bigint,
    made_by bigint REFERENCES tokens (id)
  )`,
  `CREATE TABLE sessions (
    id ${ID},
    token bigint NOT NULL REFERENCES tokens (id),
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    expires_at bigint NOT NULL
  )`,
  "CREATE INDEX sessions_of_token ON sessions (token)",
  `CREATE TABLE sign_in_codes (
    id ${ID},
    token bigint REFERENCES tokens (id),
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    expires_at bigint NOT NULL
  )`,
  // `expires_at` in ms.
  `CREATE TABLE idempotency (
    account bigint NOT NULL,
    key ${TEXT} NOT NULL,
    request ${TEXT} NOT NULL,
    status bigint NOT NULL,
    location ${TEXT},
    body ${TEXT} NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (account, key)
  )`,
  "CREATE INDEX idempotency_by_expiry ON idempotency (expires_at)",
  `CREATE TABLE notification_targets (
    id ${ID},
    account bigint NOT NULL REFERENCES accounts (id),
    name ${TEXT} NOT NULL,
    kind ${TEXT} NOT NULL,
    shown ${TEXT} NOT NULL,
    sealed_with ${TEXT},
    nonce bytea CHECK (length(nonce) = 12),
    sealed bytea,
    unsealed ${TEXT},
    kinds ${TEXT} NOT NULL,
    created_at bigint NOT NULL,
    revision bigint NOT NULL,
    progress ${TEXT} NOT NULL
  )`,
  "CREATE INDEX notification_targets_of_account ON notification_targets (account, id)",
  // Chats that are paired with an account. Times are seconds, but for `chat_cursors.at` (ms).
  `CREATE TABLE chats (
    id ${ID},
    account bigint NOT NULL REFERENCES accounts (id),
    target bigint NOT NULL REFERENCES notification_targets (id) ON DELETE CASCADE,
    chat bigint NOT NULL,
    "user" bigint NOT NULL,
    name ${TEXT} NOT NULL,
    paired_at bigint NOT NULL,
    UNIQUE (target, chat, "user")
  )`,
  "CREATE INDEX chats_of_account ON chats (account, id)",
  `CREATE TABLE chat_codes (
    id ${ID},
    account bigint NOT NULL REFERENCES accounts (id),
    target bigint NOT NULL REFERENCES notification_targets (id) ON DELETE CASCADE,
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    expires_at bigint NOT NULL
  )`,
  "CREATE INDEX chat_codes_of_target ON chat_codes (target)",
  `CREATE TABLE chat_cursors (
    bot ${TEXT} PRIMARY KEY,
    last_update bigint NOT NULL,
    at bigint NOT NULL
  )`,
  `CREATE TABLE restores (
    id ${ID},
    at bigint NOT NULL,
    file ${TEXT} NOT NULL,
    head ${TEXT} NOT NULL,
    resumed_at bigint
  )`,
  // The operator's switches; anything absent is on.
  `CREATE TABLE exchange_switches (exchange ${TEXT} PRIMARY KEY, ${bit("active")})`,
  `CREATE TABLE market_switches (
    exchange ${TEXT} NOT NULL,
    pair ${TEXT} NOT NULL,
    kind ${TEXT} NOT NULL,
    ${bit("active")},
    ${bit("buy_enabled")},
    PRIMARY KEY (exchange, pair, kind)
  )`,
  `CREATE TABLE market_refreshes (
    exchange ${TEXT} PRIMARY KEY,
    number bigint NOT NULL,
    at bigint NOT NULL,
    maker_fee_percent ${TEXT} NOT NULL,
    taker_fee_percent ${TEXT} NOT NULL
  )`,
  `CREATE TABLE refreshed_markets (
    exchange ${TEXT} NOT NULL REFERENCES market_refreshes (exchange),
    pair ${TEXT} NOT NULL,
    kind ${TEXT} NOT NULL CHECK (kind IN ('spot', 'swap')),
    ${bit("active")},
    price_step ${TEXT} NOT NULL,
    amount_step ${TEXT} NOT NULL,
    min_amount ${TEXT} NOT NULL,
    min_cost ${TEXT} NOT NULL,
    PRIMARY KEY (exchange, pair, kind)
  )`
]
