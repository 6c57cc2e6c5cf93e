import { expect, test } from "bun:test"
import type { Event } from "../../../src/domain/Event.ts"
import * as Message from "../../../src/services/notify/couriers/Message.ts"

const event = (text: string, strategyName = "Swing"): Event => ({
  id: "entry_1_0",
  kind: "closed",
  at: 0,
  rule: "trade",
  text,
  strategy: 1,
  strategyName,
  facts: {}
})
const NASTY = "<b>x</b>\n@everyone `a` [b](https://evil.example)\u202e*c*\u0000\u2028"

test("a name cannot break a line, hide text, or be read as markup", () => {
  const telegram = Message.of(
    { kind: "telegram", token: "t", chat: "1" },
    [event("Closed.", NASTY)],
    "https://t"
  )
  const told = JSON.parse(telegram.body)
  expect(told).not.toHaveProperty("parse_mode")
  expect(told.text).not.toMatch(/[\n\u0000\u202e\u2028]/)
  expect(told.text).toContain("<b>x</b>")
  const discord = JSON.parse(
    Message.of({ kind: "discord", url: "https://d" }, [event("Closed.", NASTY)], "").body
  )
  expect(discord.allowed_mentions).toEqual({ parse: [] })
  expect(discord.content).not.toMatch(/[\n\u0000\u202e\u2028]/)
  expect(discord.content).toContain("\\@everyone \\`a\\` \\[b\\]\\(https\\://evil.example\\)")
  const ntfy = Message.of({ kind: "ntfy", url: "https://n/t", token: "s" }, [event("Closed.", NASTY)], "")
  expect(ntfy.body).not.toMatch(/[\n\u0000\u202e\u2028]/)
  expect(ntfy.headers["authorization"]).toBe("Bearer s")
})

test("a message is never longer than a chat accepts", () => {
  const long = Array.from({ length: 30 }, () => event("*".repeat(700)))
  const count = Message.together("discord", long)
  // With its backslashes one takes up 1400: two would lose the end of the second.
  expect(count).toBe(1)
  expect(Message.together("telegram", long)).toBe(2)
  const { content } = JSON.parse(
    Message.of({ kind: "discord", url: "https://d" }, long.slice(0, count), "").body
  )
  expect(content).toBe(`Swing\\: ${"\\*".repeat(700)}`)
  const huge = Message.of({ kind: "discord", url: "https://d" }, [event("*".repeat(2_000))], "")
  expect(JSON.parse(huge.body).content.length).toBeLessThanOrEqual(2000)
  expect(Message.together("telegram", [event("x".repeat(9_000))])).toBe(1)
  expect(
    Message.of({ kind: "ntfy", url: "https://n" }, [event("😀".repeat(9_000))], "").body.isWellFormed()
  ).toBe(true)
  expect(Message.together("webhook", long)).toBe(1)
})
