// What is spoiled in the books of `books.ts`, and all that a verification finds then: `strategy table row: text`. The
// statements are SQLite's; on Postgres functions of the same names stand for those of JSON.

/** A change, its statements, and what is found. */
export type Spoiling = readonly [name: string, statement: string, found: ReadonlyArray<RegExp>]

const set = (table: string, column: string, path: string, value: string, where: string) =>
  `UPDATE ${table} SET ${column} = json_set(${column}, '${path}', ${value}) WHERE ${where}`

/** Those of rows, which are found alike wherever the rows are. */
export const spoilings: ReadonlyArray<Spoiling> = [
  [
    "an amount of the ledger",
    set("ledger", "posting", "$.lines[0].amount", "'1.5'", "id = 11"),
    [
      /^1 ledger 11: it was altered/,
      /^1 ledger 11: its lines come to 1002.3926928 instead of 0$/,
      /^1 ledger 11: cash is 1.5, fill 7 makes it -1000.8926928$/,
      /^1 bots -: state: cash is 8730.2030174965, the ledger comes to 9732.5957102965$/
    ]
  ],
  [
    "a posting that is of another strategy",
    "UPDATE ledger SET posting = (SELECT posting FROM ledger WHERE id = 12) WHERE id = 11",
    [
      /^1 ledger 11: it was altered/,
      /^1 ledger 11: there is no fill of order 2-5-0 for it$/,
      /^1 fills 7: the ledger has no posting for this fill of order 1-4-0$/,
      /^1 bots -: state: cash is/
    ]
  ],
  [
    "a posting that is gone",
    "DELETE FROM ledger WHERE id = 20",
    [
      /^2 ledger 21: row 20 is missing before it$/,
      /^1 fills 16: the ledger has no posting for this fill of order 1-11-0$/,
      /^1 bots -: state: cash is/
    ]
  ],
  [
    "the end of the ledger that is gone",
    "DELETE FROM ledger WHERE id > 91",
    [/^\d fills 86: the ledger has no posting/, /state: cash/, /^\d fills 87: the ledger/, /state: cash/]
  ],
  [
    "a figure",
    set("bots", "tally", "$.net", "'7'", "strategy_id = 2"),
    [/^2 bots -: tally: net is 7, its trades make it -16.6202108692$/]
  ],
  [
    "a count",
    set("bots", "tally", "$.wins", "99", "strategy_id = 4"),
    [/^4 bots -: tally: wins is 99, its trades make it 4$/]
  ],
  [
    "free cash",
    set("bots", "state", "$.cash", "'10000'", "strategy_id = 1"),
    [/^1 bots -: state: cash is 10000, the ledger comes to 8730.2030174965$/]
  ],
  [
    "a position",
    set("bots", "state", `$.slots."binance:BTC/USDT:spot".position.quantity`, "'11'", "strategy_id = 1"),
    [/^1 bots -: state, binance:BTC\/USDT:spot: quantity is 11, its fills make it 10.12076$/]
  ],
  [
    "an order under way",
    set("bots", "state", `$.slots."binance:SOL/USDT:spot".order.reserved`, "'1'", "strategy_id = 1"),
    [
      /^1 bots -: state, binance:SOL\/USDT:spot: order 1-\d+-0: reserved is 1, the rest of its intent is 514.09/
    ]
  ],
  [
    "a bot that is gone",
    "DELETE FROM bots WHERE strategy_id = 3",
    [/^3 bots -: there are books, but no bot$/]
  ],
  [
    "a trade that is gone",
    "DELETE FROM trades WHERE id = 9",
    [/^1 trades -: the trade on binance:BTC\/USDT:spot that ledger row 44 ended is missing$/]
  ],
  [
    "a trade that is there twice",
    "INSERT INTO trades (strategy_id, trade) SELECT strategy_id, trade FROM trades WHERE id = 9",
    [/^1 trades 26: its fills make no such trade$/]
  ],
  [
    "a trade's result",
    set("trades", "trade", "$.pnl", "'1000'", "id = 9"),
    [/^1 trades 9: pnl is 1000, its fills make it 192.072349754$/]
  ],
  [
    "a trade's place in time",
    set("trades", "trade", "$.closedAt", "5", "id = 9"),
    [/^1 trades 9: closedAt is 5, its fills make it \d+$/]
  ],
  [
    "a fill that is gone",
    "DELETE FROM fills WHERE id = 40",
    [
      /^1 ledger 44: there is no fill of order 1-\d+-0 for it$/,
      /^1 orders 27: order 1-\d+-0 is filled, and there is no fill of it$/
    ]
  ],
  [
    "a fill that is there twice",
    "INSERT INTO fills (strategy_id, fill) SELECT strategy_id, fill FROM fills WHERE id = 40",
    [/^1 fills 88: the ledger has no posting for this fill of order 1-\d+-0$/]
  ],
  [
    "an order that is gone",
    "DELETE FROM orders WHERE sequence = 3",
    [/^3 fills 4: its order 3-2-0 is not there, or cannot be read$/]
  ],
  [
    "an order that nothing came of",
    "UPDATE orders SET id = 'x' WHERE sequence = 3",
    [
      /^3 orders 3: order x is filled, and there is no fill of it$/,
      /^3 fills 4: its order 3-2-0 is not there/
    ]
  ],
  [
    "an order that is smaller than its fills",
    set("orders", "intent", "$.quantity", "'0.001'", "sequence = 3"),
    [/^3 fills 4: order 3-2-0 was for 0.001, and 32.9901 is filled$/]
  ],
  [
    "settings",
    set("strategies", "settings", "$.quote", "'doge'", "id = 2"),
    [/^- strategies 2: it cannot be read: settings/]
  ],
  [
    "a signal",
    "UPDATE signals SET created_at = -9e15 WHERE id = 1; UPDATE signals SET name = '' WHERE id = 1",
    [/^- signals 1: it cannot be read: /]
  ],
  [
    "an alert",
    "UPDATE alerts SET warnings = 'x' WHERE id = 3",
    [/^- alerts 3: it cannot be read: warnings is not as this program writes it$/]
  ],
  ["what waits", "INSERT INTO waiting VALUES (1, -1, 1, 0)", [/^-1 waiting 1: it cannot be read: strategy/]],
  [
    "a finished order",
    "UPDATE orders SET intent = 'x' WHERE sequence = 3",
    [/^3 orders 3: it cannot be read: order /, /^3 fills 4: its order 3-2-0 is not there/]
  ],
  [
    "a bot",
    "UPDATE bots SET state = '{}' WHERE strategy_id = 3",
    [/^3 bots 3: it cannot be read: state/, /^3 bots -: there are books, but no bot/]
  ],
  [
    "an order that filled, and is said to be unknown",
    "UPDATE orders SET status = 'unknown' WHERE sequence = 3",
    [
      /^3 orders 3: order 3-2-0 is unknown, and all of it has filled$/,
      /^3 orders 3: order 3-2-0 is unknown, and its bot has no such order in flight$/
    ]
  ],
  [
    "an order that nobody waits for",
    `UPDATE bots SET state = json_remove(state, '$.slots."binance:SOL/USDT:spot".order') WHERE strategy_id = 1`,
    [/^1 orders 57: order 1-\d+-0 is partly_filled, and its bot has no such order in flight$/]
  ],
  [
    "the sum of a day",
    "UPDATE result_days SET net = net || '1' WHERE day = (SELECT min(day) FROM result_days)",
    [/^- result_days -: USDT of day \d+ is off by -?0\.\d+$/]
  ],
  [
    "a day that is gone",
    "DELETE FROM result_days",
    [/^- result_days -: [A-Z]+ of day \d+ is off by -?[\d.]+$/]
  ],
  [
    "the sum of a group of trades",
    "UPDATE trade_groups SET wins = wins + 1 WHERE grouping = 'all' AND strategy_id = 1",
    [/^1 trade_groups \d+: the group all is not the sum of its trades$/]
  ],
  [
    "a group of trades that is gone",
    "DELETE FROM trade_groups WHERE grouping = 'month' AND strategy_id = 1",
    [/^1 trade_groups \d+: the group month \d{4}-\d\d is missing$/]
  ],
  [
    "a record with a trade that nobody made",
    `UPDATE strategy_records SET record =
      json_set(record, '$.overall.paper.trades', json_extract(record, '$.overall.paper.trades') + 1)
      WHERE strategy_id = 1`,
    [/^1 strategy_records 1: the record does not count the strategy's trades$/]
  ],
  [
    "a record that is gone",
    "DELETE FROM strategy_records WHERE strategy_id = 1",
    [/^1 strategy_records 1: the record is missing$/]
  ],
  [
    "who follows what",
    "UPDATE followings SET signal_id = 77 WHERE strategy_id = 2; DELETE FROM followings WHERE strategy_id = 3",
    [
      /^2 followings -: it follows signal 1, and acts on the alerts of signal 77$/,
      /^3 followings -: it follows signal 1, and acts on the alerts of no signal$/
    ]
  ]
]

/** Those of a file of SQLite: its schema, its references, and what its columns would hold. */
export const ofFiles: ReadonlyArray<Spoiling> = [
  [
    "a row that is no JSON",
    "UPDATE trades SET trade = 'x' WHERE id = 9",
    [/^1 trades -: the trade .* is missing$/, /^1 trades 9: it is not what a row of this table looks like$/]
  ],
  ["a table that is gone", "DROP TABLE restores", [/^- schema -: table restores is missing$/]],
  [
    "an index that is gone",
    "DROP INDEX orders_unsettled",
    [/^- schema -: index orders_unsettled is missing$/]
  ],
  [
    "a column that is gone",
    "ALTER TABLE restores DROP COLUMN head",
    [/^- schema -: table restores lacks head$/]
  ],
  [
    "a column too many",
    "ALTER TABLE tokens ADD COLUMN x TEXT",
    [/^- schema -: table tokens has x, which is not of this program$/]
  ],
  [
    "a trigger",
    "CREATE TRIGGER t AFTER INSERT ON fills BEGIN DELETE FROM fills; END",
    [/^- schema -: trigger t is not one of this program$/]
  ],
  [
    "a check that is gone",
    "DROP TABLE partitions; CREATE TABLE partitions (id INTEGER PRIMARY KEY, cursor INTEGER NOT NULL) STRICT",
    [/^- schema -: table partitions is defined otherwise than by this program$/]
  ],
  [
    "a token",
    "UPDATE tokens SET id = -1 WHERE id = 1",
    [/^- tokens -1: it cannot be read: id/, /- alerts \d+: it refers/]
  ],
  [
    "a reference",
    "PRAGMA foreign_keys = 0; UPDATE strategies SET account = 77 WHERE id = 1",
    [/^- strategies 1: it refers to a row of accounts that is not there$/]
  ]
]

/** Those of a database of Postgres. */
export const ofPostgres: ReadonlyArray<Spoiling> = [
  ["a table that is gone", "DROP TABLE restores", [/^- schema -: .*restores.* is missing$/]],
  [
    "an index that is gone",
    "DROP INDEX orders_unsettled",
    [/^- schema -: index orders_unsettled is missing$/]
  ],
  [
    "a column that is gone",
    "ALTER TABLE restores DROP COLUMN head",
    [/^- schema -: column restores.head is missing$/]
  ],
  [
    "a column too many",
    "ALTER TABLE tokens ADD COLUMN x TEXT",
    [/^- schema -: column tokens.x is not one of this program$/]
  ],
  [
    "a trigger",
    "CREATE TRIGGER t AFTER INSERT ON fills FOR EACH STATEMENT EXECUTE FUNCTION signalbox_tell_of_change()",
    [/^- schema -: trigger fills.t is not one of this program$/]
  ],
  [
    "a function that does something else",
    "CREATE OR REPLACE FUNCTION signalbox_tell_of_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    [/^- schema -: function signalbox_tell_of_change is defined otherwise than by this program$/]
  ],
  [
    "a check that is gone",
    "ALTER TABLE partitions DROP CONSTRAINT partitions_id_check",
    [/^- schema -: constraint partitions.partitions_id_check is missing$/]
  ],
  [
    "a reference",
    "SET session_replication_role = replica; UPDATE strategies SET account = 77 WHERE id = 1",
    [/^- strategies -: account of 1 rows names a row of accounts that is not there$/]
  ],
  [
    "alerts of nobody",
    "UPDATE alerts SET account = 77, token = 78 WHERE id = 3",
    [
      /^- alerts -: account of 1 rows names a row of accounts that is not there$/,
      /^- alerts -: token of 1 rows names a row of tokens that is not there$/
    ]
  ],
  [
    "a journal that counts anew",
    "UPDATE journal SET last = 1",
    [/^- journal -: it would give an id again: an alert has a later one than its last$/]
  ]
]
