// The routes of notifications, whose secrets never come back.
import { expect } from "bun:test"
import { scenario } from "../lib/http.ts"

const hook = { kind: "webhook", url: "https://hooks.example/s3cret?key=s3cret" }
const text = { "content-type": "text/plain" }
const not = ["s3cret", "123456:ABCDEFGHIJKLMN"]

scenario("notifications are created, listed without secrets, tested and removed", [
  { send: "GET /v1/notifications", as: "none", status: 401 },
  { send: "GET /v1/notifications", as: "hook", status: 403 },
  { send: "GET /v1/notifications", status: 200, is: { data: [] } },
  {
    send: "POST /v1/notifications",
    body: hook,
    status: 201,
    gives: { location: "/v1/notifications/1" },
    json: {
      id: 1,
      kind: "webhook",
      name: "webhook",
      to: "https://hooks.example/...",
      state: "working",
      pending: 0
    },
    not
  },
  {
    send: "POST /v1/notifications",
    body: {
      kind: "telegram",
      token: "123456:ABCDEFGHIJKLMN",
      chat_id: -100,
      name: "Phone",
      events: ["closed", "opened"]
    },
    status: 201,
    json: { id: 2, kind: "telegram", name: "Phone", to: "chat -100", events: ["opened", "closed"] },
    not
  },
  {
    send: "GET /v1/notifications",
    status: 200,
    json: {
      data: [{ id: 1 }, { id: 2, delivered: 0, given_up: 0, last_success_at: null, last_failure: null }]
    },
    not: [...not, "whsec_"]
  },
  { send: "GET /v1/notifications", as: "bob", status: 200, is: { data: [] } },
  { send: "POST /v1/notifications/1/test", as: "bob", status: 404 },
  { send: "DELETE /v1/notifications/1", as: "bob", status: 404 },
  {
    send: "POST /v1/notifications/1/test",
    status: 200,
    is: { delivered: true, message: "it was delivered" }
  },
  {
    send: "POST /v1/notifications",
    body: { kind: "discord", url: "https://404.example/s3cret" },
    status: 201,
    json: { id: 3 }
  },
  {
    send: "POST /v1/notifications/3/test",
    status: 200,
    is: { delivered: false, message: "it answered 404" }
  },
  { send: "POST /v1/notifications/1e0/test", status: 404 },
  { send: "DELETE /v1/notifications/3", status: 200, json: { type: "success" } },
  { send: "DELETE /v1/notifications/3", status: 404 },
  { send: "POST /v1/notifications/3/test", status: 404 },
  // One key creates one target. Only the first answer has its secret, so that no copy of it is stored.
  {
    send: "POST /v1/notifications",
    headers: { "idempotency-key": "k" },
    body: hook,
    status: 201,
    json: { id: 4, secret: expect.stringMatching(/^whsec_/) }
  },
  {
    send: "POST /v1/notifications",
    headers: { "idempotency-key": "k" },
    body: hook,
    status: 201,
    json: { id: 4 },
    not: ["whsec_"]
  },
  { send: "POST /v1/notifications", headers: text, body: "{}", status: 415 },
  { send: "POST /v1/notifications", body: [], status: 400 },
  ...[
    [{}, ["kind"]],
    [{ kind: "carrier pigeon" }, ["kind"]],
    [{ kind: "webhook" }, ["url"]],
    [{ kind: "webhook", url: 1, name: "", events: "all" }, ["url", "name", "events"]],
    [{ ...hook, events: [] }, ["events"]],
    [{ ...hook, events: ["test"] }, ["events"]],
    [{ ...hook, events: ["closed", "x"] }, ["events"]],
    [{ ...hook, name: "a\u0007b" }, ["name"]],
    [{ ...hook, name: "x".repeat(65) }, ["name"]],
    [{ kind: "telegram", token: "s3cret" }, ["token", "chat_id"]],
    [{ kind: "telegram", token: "123456:ABCDEFGHIJKLMN", chat_id: "../x" }, ["chat_id"]],
    [{ kind: "ntfy", url: "https://ntfy.example/t", token: "s3cret with blanks" }, ["token"]],
    [{ kind: "discord", url: "http://discord.example/s3cret" }, ["url"]],
    [{ kind: "webhook", url: "https://127.1/s3cret" }, ["url"]],
    [{ kind: "webhook", url: "https://[::ffff:10.0.0.1]/s3cret" }, ["url"]],
    [{ kind: "webhook", url: "https://me:s3cret@hooks.example/" }, ["url"]],
    [{ kind: "webhook", url: `https://hooks.example/${"s3cret".repeat(400)}` }, ["url"]]
  ].map(([body, fields]) => ({
    send: "POST /v1/notifications",
    body: body ?? {},
    status: 422,
    json: {
      code: "invalid_request",
      errors: Object.fromEntries(
        (Array.isArray(fields) ? fields : []).map((field) => [field, [expect.any(String)]])
      )
    },
    not
  })),
  { send: "GET /v1/notifications", status: 200, json: { data: [{ id: 1 }, { id: 2 }, { id: 4 }] } }
])
