import { describe, expect, test } from "bun:test"
import { Arbitrary, Either, FastCheck, Option, Schema } from "effect"
import { type AlertType, isEntry } from "../../src/domain/Alert.ts"
import * as AlertBody from "../../src/domain/alert/AlertBody.ts"
import { AlertFields } from "../../src/domain/alert/AlertFields.ts"

const decode = (body: string | AlertBody.AlertSource["body"], contentType = "", query = "") =>
  AlertBody.decode({ body, contentType, query })

/** An alert understood, on one line: `1 buy BTC/USDT tp 5 sl 4 (2 warnings)`. */
const said = (result: ReturnType<typeof decode>): string =>
  Either.match(result, {
    onLeft: (refused) =>
      refused._tag === "Unsure"
        ? "unsure"
        : refused._tag === "Unreadable"
          ? refused.text
          : refused.violations.map(({ field, text }) => `${field} ${text}`).join("; "),
    onRight: ({ id, instruction, timed, warnings }) => {
      const { coin, quoteCurrency, signalId, sl, tp, type } = instruction
      const price = (name: string, value: Option.Option<number>) =>
        Option.match(value, { onNone: () => "", onSome: (it) => ` ${name} ${it}` })
      const rest = `${id === undefined ? "" : ` id ${id}`}${timed ? " timed" : ""}`
      const warned = warnings.length === 0 ? "" : ` (${warnings.length} warnings)`
      return `${signalId} ${type} ${coin}/${quoteCurrency}${price("tp", tp)}${price("sl", sl)}${rest}${warned}`
    }
  })

const plain = '{"signal_id":1,"coin":"BTC","quote_currency":"USDT","type":"buy"}'
const start = '{"signal_id":1,"type":"buy",'
const EXAMPLE = '{"signal_id":1,"symbol":"{{ticker}}","type":"buy"}'
const sent = "such as BTCUSDT or BTC/USDT"

/** Bodies found in the public documentation and code of other services, and what is made of them here. */
const found: ReadonlyArray<readonly [source: string, body: string, said: string, query?: string]> = [
  [
    "LeeChunHao2000/Cypto-TradingView-Webhook",
    '{"pair": "BTC-PERP", "side": "buy", "size": "0.01"}',
    `pair must name both assets, ${sent}`,
    "signal_id=1"
  ],
  [
    "algoway.trade, JSON guide",
    '{"order_action": "buy","ticker": "BTCUSDT.P","stop_loss": "150"}',
    "1 long BTC/USDT (1 warnings)",
    "signal_id=1&type=long"
  ],
  [
    "echoghi/argilac",
    '{ type: "BUY", price: "{{close}}", apiKey: "YOUR_KEY" }',
    "the body is not JSON: it holds {{close}}, which the charting platform did not fill in"
  ],
  [
    "Drakkar-Software/OctoBot",
    "SYMBOL=BTCUSDT;SIGNAL=BUY;VOLUME=0.001;BOT_ID=123",
    "1 buy BTC/USDT (1 warnings)",
    "signal_id=1"
  ],
  [
    "support.altrady.com",
    '{\n "api_key": "YOUR_KEY",\n "action": "start_bot",\n}',
    "the body is not valid JSON: take out the comma after the last field"
  ],
  [
    "Just-Trades13/Just-Trades",
    '{"ticker": "{{ticker}}","price": {{close}}}',
    "the body is not JSON: it holds {{ticker}}, which the charting platform did not fill in"
  ],
  [
    "soranoo/TradingView-Free-Webhook-Alerts#92",
    '""EXCHANGE = KUCOIN;\\\\nSYMBOL = CRVUSDT;""',
    `the body is not valid JSON: send ${EXAMPLE}`
  ],
  [
    "lth-elm/tradingview-webhook-trading-bot",
    '{"ticker": "BTCPERP","action": "sell","time": "2021-05-20T20:36:22Z"}',
    `ticker must name both assets, ${sent}`,
    "signal_id=1"
  ],
  [
    "alleyway/add-tradingview-alerts-tool#90",
    '{"pair":"{{base}}{{quote}}","type":"buy"}',
    "pair holds a {{placeholder}} that the charting platform does not know: it was not filled in",
    "signal_id=1"
  ],
  ["gunbot.com, email alerts", "BUY_BINANCE_BTC-ETH_0.1", "1 buy BTC/ETH", "signal_id=1"],
  [
    "a TradingView integration",
    '{"apiKey":"k","symbol":"ETH/USDT","side":"SELL","timestamp":1}',
    "1 sell ETH/USDT timed",
    "signal_id=1"
  ]
]

/** Dresses of one's own, and what is made of them. */
const dressed: ReadonlyArray<readonly [name: string, body: string, said: string]> = [
  ["the names of the interface", plain, "1 buy BTC/USDT"],
  ["a byte order mark", `\uFEFF${plain}`, "1 buy BTC/USDT"],
  ["blanks around", `\n ${plain}\n`, "1 buy BTC/USDT"],
  ["a text that holds JSON", JSON.stringify(plain), "1 buy BTC/USDT"],
  ["a line end within a text", plain.replace("}", ',"message":"one\ntwo"}'), "1 buy BTC/USDT"],
  [
    "numbers as texts",
    '{"signal_id":"1","coin":"btc","quote_currency":"usdt","type":"BUY","tp":"68000.5","sl":"1e3"}',
    "1 buy BTC/USDT tp 68000.5 sl 1000"
  ],
  ["a form", "signal_id=1&coin=BTC&quote_currency=USDT&type=close_long&tp=5", "1 close_long BTC/USDT tp 5"],
  ["a form with a line end", "signal_id=1&symbol=BTCUSDT&action=sell\n", "1 sell BTC/USDT"],
  [
    "exact names win over aliases",
    '{"signal_id":1,"type":"buy","action":"sell","coin":"BTC","quote_currency":"USD","symbol":"ETHUSDT"}',
    "1 buy BTC/USD"
  ],
  [
    "a coin, and a symbol for its quote",
    '{"signal_id":1,"type":"buy","coin":"SHIB","symbol":"SHIBUSD"}',
    "1 buy SHIB/USD"
  ],
  [
    "a quote, and a symbol for its coin",
    '{"signal_id":1,"type":"buy","quote_currency":"TUSD","symbol":"DOTTUSD"}',
    "1 buy DOT/TUSD"
  ],
  ["a perpetual bought on spot", `${start}"symbol":"BTCUSDT.P"}`, "1 buy BTC/USDT (1 warnings)"],
  ["an id", plain.replace("}", ',"id":7}'), "1 buy BTC/USDT id 7"],
  ["a time that was not filled in", plain.replace("}", ',"time":"{{timenow}}"}'), "1 buy BTC/USDT"],
  [
    "lists within lists, deeper than a text can be made of",
    plain.replace("}", `,"test":${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
    "test is given more than once"
  ],
  ["nulls", plain.replace("}", ',"tp":null,"sl":null,"id":null}'), "1 buy BTC/USDT"],
  ["two values of one name in JSON", plain.replace("}", ',"type":"sell"}'), "1 sell BTC/USDT"],
  [
    "two values of one name in a form",
    "signal_id=1&symbol=BTCUSDT&type=buy&type=sell",
    "type is given more than once"
  ],
  [
    "an unknown type",
    plain.replace("buy", "hold"),
    "type must be one of buy, sell, long, short, close_long, close_short"
  ],
  [
    "a pair for a coin",
    plain.replace('"BTC"', '"BTCUSDT.P"'),
    "coin must be the code of one asset, such as BTC; a whole pair goes into symbol"
  ],
  [
    "no number",
    `${start}"symbol":"BTCUSDT","tp":NaN}`,
    "the body is not valid JSON: NaN is no number: an indicator gave no value, so leave the field out"
  ],
  [
    "prices that are none",
    `${start}"symbol":"BTCUSDT","tp":1e400,"sl":"68,000.50"}`,
    "tp must be a price above 0 and at most 1e12 such as 68000.5: leave it out where there is none; sl must be a price above 0 and at most 1e12 such as 68000.5: leave it out where there is none"
  ],
  [
    "ids that are none",
    '{"signal_id":1.5,"symbol":"BTCUSDT","type":"buy"}',
    "signal_id must be a positive whole number"
  ],
  [
    "an id beyond what is exact",
    '{"signal_id":9007199254740992,"symbol":"BTCUSDT","type":"buy"}',
    "signal_id must be a positive whole number"
  ],
  [
    "single quotes",
    "{'signal_id': 1}",
    "the body is not valid JSON: write names and texts in double quotes, not in single ones"
  ],
  [
    "two alerts",
    `${plain}\n${plain}`,
    "the body is not valid JSON: it holds two objects: send each alert by itself"
  ],
  ["a list", `[${plain}]`, `the body must be one JSON object, such as ${EXAMPLE}`],
  [
    "broken percent signs",
    "signal_id=1&coin=%FF",
    "the form holds percent signs that do not make UTF-8 text"
  ],
  [
    "nothing",
    "",
    "signal_id is required: it must be a positive whole number; type is required: it must be one of buy, sell, long, short, close_long, close_short; coin is required: it must be the code of one asset, such as BTC; a whole pair goes into symbol; quote_currency is required: it must be the code of one asset, such as BTC; a whole pair goes into symbol"
  ]
]

describe("alert bodies", () => {
  test.each(found)("%s: %s", (_, body, expected, query = "") => {
    expect(said(decode(body, "text/plain", query))).toBe(expected)
  })
  test.each(dressed)("%s", (_, body, expected) => {
    expect(said(decode(body))).toBe(expected)
  })
  test("the content type is only a hint", () => {
    for (const type of [
      "",
      "application/json",
      "text/plain",
      "application/x-www-form-urlencoded",
      "nonsense"
    ]) {
      expect(said(decode(plain, type))).toBe("1 buy BTC/USDT")
      expect(said(decode("signal_id=1&symbol=BTCUSDT&type=buy", type))).toBe("1 buy BTC/USDT")
    }
  })
})

describe("properties", () => {
  /** A ladder in the direction of profit, of percentages that are together at most 100. */
  const ladder = (type: AlertType) =>
    FastCheck.uniqueArray(FastCheck.integer({ min: 1, max: 1e6 }), { minLength: 1, maxLength: 5 }).map(
      (prices) =>
        prices
          .sort((one, other) => (type === "short" ? other - one : one - other))
          .map((price) => ({ price, percent: 20 }))
    )
  /** Fields that do not go with the type are left out. */
  const fields = Arbitrary.make(AlertFields).chain(
    ({ buy_percentage, close_percent, reverse, tp, tps, ...rest }) => {
      const entry = isEntry(rest.type)
      const turning = rest.type === "long" || rest.type === "short"
      return ladder(rest.type).map((steps) => ({
        ...rest,
        ...(entry && buy_percentage !== undefined ? { buy_percentage } : {}),
        ...(!entry && close_percent !== undefined ? { close_percent } : {}),
        ...(turning && reverse !== undefined ? { reverse } : {}),
        ...(entry && tps !== undefined ? { tps: steps } : tp === undefined ? {} : { tp })
      }))
    }
  )
  const encode = Schema.encodeSync(AlertFields)
  const expected = (alert: AlertFields) => ({ ...plainOf(alert), ...extrasOf(alert) })
  const extrasOf = ({ buy_percentage, close_percent, reverse, tps }: AlertFields) => ({
    ...(buy_percentage === undefined ? {} : { buyPercentage: buy_percentage }),
    ...(close_percent === undefined ? {} : { closePercent: close_percent }),
    ...(reverse === undefined ? {} : { reverse }),
    ...(tps === undefined ? {} : { tps })
  })
  const plainOf = ({ coin, quote_currency, signal_id, sl, tp, type }: AlertFields) => ({
    signalId: signal_id,
    coin: coin.toUpperCase(),
    quoteCurrency: quote_currency.toUpperCase(),
    type,
    tp: Option.fromNullable(tp),
    sl: Option.fromNullable(sl)
  })
  const understood = (result: ReturnType<typeof decode>) =>
    Either.getOrThrow(Either.mapLeft(result, String)).instruction

  test("decode any valid alert as it was meant, in JSON", () => {
    FastCheck.assert(
      FastCheck.property(fields, (alert) => {
        expect(understood(decode(JSON.stringify(encode(alert))))).toEqual(expected(alert))
      })
    )
  })
  test("decode any valid alert as it was meant, as a form in the body and in the URL", () => {
    FastCheck.assert(
      FastCheck.property(fields, (alert) => {
        const texts = Object.entries(encode(alert)).map(([name, value]): [string, string] => [
          name,
          Array.isArray(value) ? JSON.stringify(value) : String(value)
        ])
        const form = String(new URLSearchParams(texts))
        expect(understood(decode(form, "application/x-www-form-urlencoded"))).toEqual(expected(alert))
        expect(understood(decode("", "", form))).toEqual(expected(alert))
        expect(understood(decode(Object.fromEntries(texts)))).toEqual(expected(alert))
      })
    )
  })
  test("no body makes the decoder throw, and no text of it appears in an error", () => {
    const words = FastCheck.constantFrom(
      "{",
      "}",
      "[",
      '"',
      "{{",
      "}}",
      "signal_id",
      "coin",
      ":",
      ",",
      "=",
      "&",
      "%",
      "SECRETS",
      "\u0000",
      "\ud800",
      "1e999",
      "plot(",
      "__proto__"
    )
    const texts = FastCheck.oneof(
      FastCheck.string({ unit: "binary" }),
      FastCheck.array(words).map((all) => all.join("")),
      FastCheck.json()
    )
    FastCheck.assert(
      FastCheck.property(texts, texts, texts, (body, type, query) => {
        expect(said(decode(body, type, query))).not.toContain("SECRETS")
        const record = FastCheck.sample(FastCheck.dictionary(FastCheck.string(), FastCheck.anything()), 1)[0]
        decode(record ?? {}, type, query)
      }),
      { numRuns: 500 }
    )
  })
  test("the largest body is decoded in time", () => {
    const units = [
      "[",
      "{",
      '{"a":',
      "{{",
      "{ ",
      ",}",
      "a=",
      "%F",
      "//",
      '"\\',
      "{'",
      "0",
      " ",
      "plot(",
      "}{",
      "{{a"
    ]
    for (const unit of units) {
      const started = performance.now()
      decode(unit.repeat(65_536 / unit.length), "application/json")
      expect(performance.now() - started).toBeLessThan(500)
    }
  })
})
