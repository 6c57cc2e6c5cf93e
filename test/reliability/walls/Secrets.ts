// Every place of a request that may hold a token, right or wrong.
import type { Ask } from "../Wire.ts"

export type Attempt = Ask

const JSON_TYPE = { "content-type": "application/json" }
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" }
const HOOK = "/v1/signals/charting"
const alert = { signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy" }

/** Well-formed requests. */
export const attempts = (secret: string): ReadonlyArray<Attempt> => [
  ...headers(secret),
  ...addresses(secret),
  ...bodies(secret)
]

const headers = (secret: string): ReadonlyArray<Attempt> => [
  ...[
    `Bearer ${secret}`,
    `bearer ${secret}`,
    `Basic ${secret}`,
    `Token ${secret}`,
    secret,
    `Bearer ${secret}, Bearer ${secret}`,
    `Bearer "${secret}"`
  ].flatMap((authorization) => [
    { method: "GET", target: "/v1/signals", headers: { authorization } },
    { method: "POST", target: "/v1/signals/alert", headers: { authorization, ...JSON_TYPE }, body: "{" }
  ]),
  ...[
    "x-api-key",
    "cookie",
    "referer",
    "user-agent",
    "idempotency-key",
    "x-forwarded-for",
    "x-request-id",
    "traceparent",
    "b3",
    "content-type",
    "accept",
    "origin",
    "content-encoding",
    "if-none-match"
  ].map((name) => ({
    method: "POST",
    target: "/v1/signals",
    headers: { authorization: `Bearer ${secret}`, [name]: secret },
    body: JSON.stringify(alert)
  })),
  ...["GET", "DELETE"].map((method) => ({
    method,
    target: "/v1/dashboard/session",
    headers: { cookie: `signalbox_session=${secret}`, origin: `http://${secret}` }
  })),
  { method: "GET", target: "/healthz", headers: { host: secret } },
  { method: "GET", target: "/healthz", headers: { host: `${secret} ${secret}` } }
]

/** Percent-encodes every letter. */
export const percentEncoded = (text: string): string =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("")

const addresses = (secret: string): ReadonlyArray<Attempt> => [
  ...[
    `${HOOK}?key=${secret}`,
    `${HOOK}?key=${secret}&key=${secret}`,
    `${HOOK}?KEY=${secret}`,
    `${HOOK}?key=%73${secret.slice(1)}`,
    `${HOOK}?key=${secret}%zz`,
    `${HOOK}?k%65y=${percentEncoded(secret)}`,
    `${HOOK}?key=${percentEncoded(percentEncoded(secret))}`,
    `/v1/signals/alert?k%65y=${percentEncoded(secret)}`,
    `${HOOK}?key=${secret}&signal_id=1&coin=BTC&quote_currency=USDT&type=${secret}`,
    `${HOOK}?token=${secret}`,
    `${HOOK}/${secret}`,
    `/v1/signals/alert?key=${secret}`,
    `/v1/signals?key=${secret}`,
    `/${secret}`,
    `/v1/${secret}/1`
  ].flatMap((target) => [
    { method: "POST", target, headers: JSON_TYPE, body: JSON.stringify(alert) },
    { method: "POST", target, headers: JSON_TYPE, body: "{" },
    { method: "GET", target },
    { method: "TRACE", target }
  ]),
  ...[
    `/v1/signals/${secret}`,
    `/v1/signals/${percentEncoded(secret)}`,
    `/v1/signals?cursor=${secret}`,
    `/v1/signals?limit=${secret}`,
    `/v1/alerts/${secret}`,
    `/v1/strategies/${secret}/timeline`,
    `/v1/events?last_event_id=${secret}`
  ].map((target) => ({ method: "GET", target, headers: { authorization: `Bearer ${secret}` } }))
]

const bodies = (secret: string): ReadonlyArray<Attempt> =>
  [
    `${HOOK}?key=${secret}`,
    HOOK,
    "/v1/signals/alert",
    "/v1/signals",
    "/v1/strategies",
    "/v1/notifications",
    "/v1/tokens",
    "/v1/dashboard/session"
  ].flatMap((target) =>
    [
      { headers: JSON_TYPE, body: JSON.stringify({ ...alert, key: secret, token: secret, id: secret }) },
      { headers: JSON_TYPE, body: JSON.stringify({ ...alert, signal_id: secret, type: secret, tp: secret }) },
      { headers: JSON_TYPE, body: JSON.stringify({ [secret]: secret, active: secret, public: secret }) },
      { headers: JSON_TYPE, body: `{"key":"${secret}` },
      { headers: JSON_TYPE, body: `{"key":"${secret}","pad":"${"x".repeat(66_000)}"}` },
      { headers: FORM_TYPE, body: `key=${secret}&signal_id=1&type=${secret}&active=${secret}` },
      { headers: FORM_TYPE, body: `key=${secret}%zz` },
      { headers: { "content-type": "text/plain" }, body: `key: ${secret}\n{{${secret}}}` },
      {
        headers: { "content-type": "multipart/form-data; boundary=x" },
        body: `--x\r\nContent-Disposition: form-data; name="key"\r\n\r\n${secret}\r\n--x--\r\n`
      },
      {
        headers: { "content-type": `multipart/form-data; boundary=${secret}` },
        body: `--${secret}\r\nContent-Disposition: form-data; name="${secret}"; filename="${secret}"\r\n\r\nx\r\n`
      }
    ].map(({ body, headers }) => ({
      method: "POST",
      target,
      body,
      headers: { authorization: `Bearer ${secret}`, ...headers }
    }))
  )

/** Malformed requests. */
export const raws = (secret: string): ReadonlyArray<string> => [
  `GET ${HOOK}?key=${secret} HTTP/9.9\r\nHost: a\r\n\r\n`,
  `GET ${HOOK}?key=${secret}\r\n\r\n`,
  `${secret} / HTTP/1.1\r\nHost: a\r\n\r\n`,
  `POST ${HOOK}?key=${secret} HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 2\r\n\r\n{}`,
  `POST http://${secret}@a/${HOOK}?key=${secret} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`,
  `POST ${HOOK}?key=${secret}\0 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`,
  `POST ${HOOK}?key=${secret}&${"x".repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nX: ${"x".repeat(70_000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\0\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\n${secret}\r\n\r\n`,
  `POST ${HOOK}?key=${secret} HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n{"key":"${secret}"`,
  `POST ${HOOK}?key=${secret} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz;${secret}\r\n`,
  `POST ${HOOK}?key=${secret} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
  `CONNECT ${secret}:443 HTTP/1.1\r\nHost: a\r\n\r\n`
]
