// The Settings page's data: sections, tokens, notifications and backups.
import { describe, expect, test } from "bun:test"
import { exact } from "../../src/web/page/parts/format.ts"
import * as Notification from "../../src/web/page/settings/notification.ts"
import { restoring } from "../../src/web/page/settings/restoring.ts"
import { sectionOf } from "../../src/web/page/settings/sections.ts"
import { isExpired, NEW, requestOf } from "../../src/web/page/settings/token.ts"

test("an address names a section, the first one by default, and an unknown name is no section", () => {
  expect(sectionOf(undefined)?.key).toBe("tokens")
  expect(sectionOf("about")?.key).toBe("about")
  expect(sectionOf("About")).toBeUndefined()
  expect(sectionOf("__proto__")).toBeUndefined()
})

describe("the request for a new token", () => {
  test.each([
    ["never", "", { scope: "alerts" }],
    ["never", "7", { scope: "alerts" }],
    ["90", "", { scope: "alerts", expires_days: 90 }],
    ["own", " 7 ", { scope: "alerts", expires_days: 7 }],
    // The server says what is too little or too much.
    ["own", "0", { scope: "alerts", expires_days: 0 }],
    ["own", "99999", { scope: "alerts", expires_days: 99_999 }]
  ])("takes the expiry %p and days %p", (expiry, days, payload) =>
    expect<object>(requestOf({ ...NEW, expiry, days })).toEqual({ payload })
  )

  test.each(["", " ", "a week", "1.5", "1e999", "-", "7 days"])(
    "never takes %p days as an unlimited time",
    (days) =>
      expect(requestOf({ ...NEW, expiry: "own", days })).toEqual({ error: "must be a whole number of days" })
  )

  test("begins with the smallest scope", () => expect(NEW.scope).toBe("alerts"))

  test("a token is expired from its last second on", () => {
    expect(isExpired({ expires_at: null }, 1e15)).toBe(false)
    expect(isExpired({ expires_at: 100 }, 99_999)).toBe(false)
    expect(isExpired({ expires_at: 100 }, 100_000)).toBe(true)
  })
})

describe("the request for a notification", () => {
  const full: Notification.Draft = {
    kind: "webhook",
    name: " Mine ",
    url: " https://a.example ",
    token: " t ",
    chat: " 12 ",
    events: ["opened"]
  }
  const common = { name: "Mine", events: ["opened"] }
  test.each([
    ["webhook", { kind: "webhook", ...common, url: "https://a.example" }],
    ["discord", { kind: "discord", ...common, url: "https://a.example" }],
    ["ntfy", { kind: "ntfy", ...common, url: "https://a.example", token: "t" }],
    ["telegram", { kind: "telegram", ...common, token: "t", chat_id: "12" }]
  ] as const)("of %s takes its own fields and no others", (kind, payload) =>
    expect<object>(Notification.payloadOf({ ...full, kind })).toEqual(payload)
  )

  test("leaves out optional fields that are empty", () => {
    const empty = { ...full, kind: "ntfy", name: " ", token: "" } as const
    expect<object>(Notification.payloadOf(empty)).toEqual({
      kind: "ntfy",
      url: "https://a.example",
      events: ["opened"]
    })
  })

  test("shows errors of hidden fields above the form", () => {
    const errors = { url: ["x"], token: ["x"], nothing: ["x"] }
    expect(Notification.besideFields("webhook", errors)).toEqual(["url"])
    expect(Notification.besideFields("telegram", errors)).toEqual(["token"])
    expect(Notification.besideFields("discord", { token: ["x"] })).toEqual([])
  })
})

test.each([
  [1e-10, "0.0000000001"],
  [0.075, "0.075"],
  [0.1, "0.1"],
  [1_000_000, "1,000,000"],
  [0, "0"]
])("%p is shown with every digit", (value, text) => expect(exact(value)).toBe(text))

test("the restore command names the backup, or a placeholder", () => {
  expect(restoring("signalbox-20260101T000000Z.db").inPlace).toBe(
    "signalbox restore backups/signalbox-20260101T000000Z.db --force --db signalbox.db"
  )
  expect(restoring().elsewhere).toContain("signalbox restore backups/signalbox-DATE.db --db elsewhere/")
})
