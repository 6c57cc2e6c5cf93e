// Tells every process of what it may hold in memory: whoever writes, and by whatever program. The words name the table
// and who wrote, so that a process need not drop what it wrote itself.

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

/** The function and its triggers. */
export const changes = [
  `CREATE FUNCTION signalbox_tell_of_change() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    PERFORM pg_notify('${CHANGES}', TG_TABLE_NAME || ':' || current_setting('application_name'));
    RETURN NULL;
  END
  $body$`,
  ...CACHED.map(
    ([table, columns]) => `CREATE TRIGGER tell_of_change
    AFTER INSERT OR DELETE OR UPDATE ${columns === undefined ? "" : `OF ${columns} `}ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION signalbox_tell_of_change()`
  )
]
