// A misspelt command is answered with the nearest, and ends as bad usage.
import { expect, test } from "bun:test"
import { signalbox } from "../lib/cli.ts"

test.each([
  [["strategy", "lst"], "there is no command strategy lst: did you mean signalbox strategy list?"],
  [["stratgy", "list", "--json"], "there is no command stratgy: did you mean signalbox strategy?"],
  [["market", "refesh"], "there is no command market refesh: did you mean signalbox market refresh?"],
  [["token", "5"], "there is no command token 5: signalbox token lists them all"],
  [["\u001b[2J".repeat(20)], "there is no command  [2J [2J"],
  [["serv", "--help"], "there is no command serv: did you mean signalbox serve?"]
])(
  "%j ends with exit code 2 and the nearest command",
  async (words, text) => {
    const { code, error, out } = await signalbox(...words)
    expect([code, out]).toEqual([2, ""])
    expect(error).toContain(text)
    expect(error).not.toContain("\u001b")
  },
  30_000
)
