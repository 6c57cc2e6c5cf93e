import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import * as AlertBody from "../../src/domain/alert/AlertBody.ts"
import { CHANGES, type Filled, type Template } from "./templates/changes.ts"
import { STATING } from "./templates/stating.ts"
import { WORDED } from "./templates/worded.ts"

// Plays the messages that the users of other services have in their charts, through every change of a position. What is
// read is right or refused: never the other side, and a short is never covered by a buy on spot.

const TEMPLATES = [...STATING, ...WORDED]

const said = (template: Template, it: Filled): string => {
  if (template.wholeOnly && it.before === it.after && it.sizes[1] < it.sizes[0]) return "."
  const body = template.body(it)
  return Either.match(
    AlertBody.decode({
      body: typeof body === "string" ? body : JSON.stringify(body),
      contentType: "text/plain",
      query: "signal_id=1"
    }),
    { onLeft: () => "-", onRight: ({ instruction }) => instruction.type }
  )
}

describe.each(TEMPLATES.map((template) => [template.source, template] as const))("%s", (_, template) => {
  test("is decoded right on spot", () => {
    expect(CHANGES.map((it) => said(template, { ...it, ticker: "BTCUSDT" })).join(" ")).toBe(template.spot)
  })
  test("is decoded right on a perpetual", () => {
    expect(CHANGES.map((it) => said(template, { ...it, ticker: "BTCUSDT.P" })).join(" ")).toBe(template.swap)
  })
})

test("is never read as the other side, and a buy never covers a short", () => {
  for (const template of TEMPLATES) {
    for (const it of CHANGES) {
      for (const ticker of ["BTCUSDT", "BTCUSDT.P"]) {
        const type = said(template, { ...it, ticker })
        expect([template.source, it.name, type, ["-", ".", ...it.spot, ...it.swap]]).toEqual([
          template.source,
          it.name,
          type,
          expect.arrayContaining([type])
        ])
      }
    }
  }
})
