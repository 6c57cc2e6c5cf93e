// The routes of stored candles on a server with a library: who may read and who may write, and what is refused.
import { expect } from "bun:test"
import { scenario } from "../lib/http.ts"

const candles = "/v1/dashboard/candles"
const download = `${candles}/download`
const body = { exchange: "binance", pair: "BTC/USDT", from: "2026-06-01", to: "2026-06-02" }
const off = { code: "candles_off", message: "this server stores no candles: start it with signalbox serve" }

scenario("everybody may list candles, and only the operator downloads, cancels and removes", [
  { send: `GET ${candles}`, as: "none", status: 401 },
  { send: `GET ${candles}`, as: "hook", status: 403 },
  { send: `GET ${candles}`, as: "bob", status: 200, is: { is_on: false, data: [], total: 0 } },
  ...[`GET ${download}`, `POST ${download}`, `DELETE ${download}`, `POST ${candles}/remove`].flatMap(
    (send) => [
      { send, as: "none" as const, body: {}, status: 401 },
      { send, as: "hook" as const, body: {}, status: 403 },
      {
        send,
        as: "bob" as const,
        body: {},
        status: 403,
        json: { message: "this is the operator's: the account that was made first on this server" }
      }
    ]
  ),
  // A server in memory stores nothing, and says so.
  { send: `GET ${download}`, status: 200, is: { download: null } },
  {
    send: `POST ${download}`,
    body: { ...body, from: "2020-06-01", to: "2020-06-02" },
    status: 409,
    json: off
  },
  { send: `DELETE ${download}`, status: 200, is: { download: null } },
  { send: `POST ${candles}/remove`, body, status: 409, json: off },
  { send: `POST ${download}`, body: [], status: 400 },
  ...(
    [
      [{}, ["exchange", "pair", "from"]],
      [{ ...body, exchange: "mtgox" }, ["exchange"]],
      [{ ...body, pair: "../../x" }, ["pair"]],
      [{ ...body, pair: "--db/X" }, ["pair"]],
      [{ ...body, kind: "future" }, ["kind"]],
      [{ ...body, timeframe: "7m" }, ["timeframe"]],
      [{ ...body, from: "2020-02-30", to: "2020-03-01" }, ["from"]],
      [{ ...body, from: "2020-03-02", to: "2020-03-01" }, ["to"]],
      [{ ...body, from: "2001-01-01", to: "2020-03-01" }, ["from"]],
      [{ ...body, from: "2020-03-02", to: "9999-03-01" }, ["to"]]
    ] as const
  ).map(([wrong, fields]) => ({
    send: `POST ${download}`,
    body: wrong,
    status: 422,
    json: {
      code: "invalid_request",
      errors: Object.fromEntries(fields.map((it) => [it, [expect.any(String)]]))
    }
  }))
])
