// A misspelt command is answered with the nearest, and ends as bad usage.
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { pages } from "../../src/cli/program/commands.ts"
import { pageFor } from "../../src/cli/program/help.ts"
import { wrongSubcommand } from "../../src/cli/program/nearest.ts"
import { between } from "../../src/domain/internal/EditDistance.ts"
import { signalbox } from "../lib/cli.ts"

test.each([
  [["strategy", "lst"], "there is no command strategy lst: did you mean signalbox strategy list?"],
  [["stratgy", "list", "--json"], "there is no command stratgy: did you mean signalbox strategy?"],
  [["market", "refesh"], "there is no command market refesh: did you mean signalbox market refresh?"],
  [["token", "5"], "there is no command token 5: signalbox token lists them all"],
  [["\u001b[2J".repeat(20)], "there is no command  [2J [2J"],
  [["serv", "--help"], "there is no command serv: did you mean signalbox serve?"],
  [
    ["market", "refesh", "--help"],
    "there is no command market refesh: did you mean signalbox market refresh?"
  ],
  [["help", "market", "refesh"], "there is no command market refesh: did you mean signalbox market refresh?"],
  [["market", "refesh", "--db", "x.db", "-h"], "did you mean signalbox market refresh?"],
  [["token", "--json", "list"], "options come after the command: did you mean signalbox token list?"],
  [
    ["market", "--db", "x.db", "refesh"],
    "options come after the command: did you mean signalbox market refresh?"
  ],
  [["market", "--db", "9"], "options come after the command: signalbox market lists them all"]
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

const groups = (await pages()).filter(({ children }) => children.length > 0)
const subcommands = groups.flatMap(({ children, path: group }) =>
  children.map(({ path }) => [group, path.slice(group.length + 1)] as const)
)

test.each(subcommands)(
  "%s %s is found when a letter of it is missing or doubled, whatever options follow",
  async (group, name) => {
    const names = subcommands.flatMap(([other, name]) => (other === group ? [name] : []))
    for (const misspelt of [name.slice(0, 1) + name.slice(2), `${name}${name.at(-1)}`])
      for (const options of [[], ["--json"], ["--db", "x.db"], ["--help"], ["-h", "1"]]) {
        // "upair" is as near to "pair" as to "unpair".
        if (names.some((other) => other !== name && between(misspelt, other) < 2)) continue
        expect(wrongSubcommand([group, misspelt, ...options], names)).toContain(`signalbox ${group} ${name}?`)
        const words = ["signalbox", "", group, misspelt, ...options, "--help"]
        const error = await Effect.runPromise(Effect.flip(pageFor(words, async () => groups)))
        expect(error.message).toContain(`did you mean signalbox ${group} ${name}?`)
      }
    for (const right of [
      [group, name],
      [group, name, "--help"],
      [group],
      [group, "--help"],
      [group, "--json"]
    ])
      expect(wrongSubcommand(right, names)).toBeUndefined()
  }
)
