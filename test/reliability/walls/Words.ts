// Values that parsers and rules may fail on: extreme numbers, words with a meaning elsewhere, names of fields.
export const NUMBERS: ReadonlyArray<number> = [
  ...[0, -0, 1, -1, 0.1, -0.1, 1e-9, 1e-300, 5e-324, 100, 100.000_000_1, 99.999_999_999_999_99, 101],
  ...[200, 201, 255, 256, 65_535, 65_536, 525_600, 525_601, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1],
  ...[2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64, 1e21, 1e22, 1e100, 1e308, 1.797_693_134_862_315_7e308]
]
/** Numbers that JSON.stringify would not write. */
export const LITERALS = [
  "1e999",
  "-1e999",
  "1e-999",
  "NaN",
  "Infinity",
  "00",
  "01",
  "+1",
  ".5",
  "5.",
  "0x10",
  "1_000",
  "1e",
  "-"
]
export const WORDS: ReadonlyArray<string> = [
  ...[
    "",
    " ",
    "0",
    "1",
    "true",
    "null",
    "undefined",
    "NaN",
    "1e3",
    "-1",
    "[]",
    "{}",
    "\0",
    "\ud800",
    "\udfff"
  ],
  ...["\ud83d", "😀", "\u202e", "\ufeff", "\ufffe", "e\u0301", "ﷺ", "ı", "ß", "__proto__", "constructor"],
  ...[
    "toString",
    "{{ticker}}",
    "{{strategy.order.action}}",
    "{{x}}",
    "$ne",
    "' OR 1=1 --",
    '"; DROP TABLE signals',
    "%s%n"
  ],
  ...[
    "../../etc/passwd",
    "BTC/USDT",
    "BTC-USDT",
    "BINANCE:BTCUSDT.P",
    "BTC/USDT:USDT",
    "binance",
    "kraken",
    "USD",
    "buy",
    "SELL"
  ],
  ...[
    "long",
    "close_short",
    "a\r\nb",
    "\u2028",
    "x".repeat(36),
    "x".repeat(256),
    "x".repeat(501),
    "😀".repeat(35),
    "x".repeat(5000)
  ]
]
export const KEYS = [
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "",
    "\0",
    "id",
    "performance",
    "created_at"
  ],
  ...[
    "stop_loss_enabled",
    "strategy_id",
    "key",
    "symbol",
    "ticker",
    "action",
    "side",
    "time",
    "timenow",
    "timestamp"
  ],
  ...["tp", "sl", "name", "signal_id", "exchanges", "public", "\ud800", "x".repeat(1000)]
]
export const TYPES = [
  ...[
    "application/json",
    "application/json; charset=utf-16",
    "application/json;charset=latin1",
    "text/plain"
  ],
  ...[
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=shift_jis",
    "text/json"
  ],
  ...[
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=x",
    "application/xml"
  ],
  ...[
    "application/octet-stream",
    "application/problem+json",
    "APPLICATION/JSON",
    "json",
    ";",
    "*/*",
    "image/png"
  ]
]
export const QUERIES = [
  ...[
    "limit=0",
    "limit=1",
    "limit=500",
    "limit=501",
    "limit=-1",
    "limit=1e3",
    "limit=%00",
    "limit=1&limit=2",
    "limit"
  ],
  ...[
    "cursor=",
    "cursor=MQ",
    "cursor=%ff",
    "cursor=OTAwNzE5OTI1NDc0MDk5MQ",
    "cursor=LTE",
    "cursor=MQ&cursor=Mg",
    "%zz"
  ],
  ...[
    "signal_id=1&coin=BTC",
    "type=buy&type=sell",
    "key=x",
    "__proto__=1",
    "signal_id=1e999&tp=%F0%9F",
    "&&&=&=",
    "?"
  ]
]
