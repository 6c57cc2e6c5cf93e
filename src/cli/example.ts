// `signalbox example`: writes a strategy, candles, alerts or a rule, and a grid, so that `backtest` and `sweep` can be tried
// at once. The strategy is one of the dashboard's templates, one with a rule of its own, or else one of the demo's.
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { RECORDED_DAYS, TEMPLATE_KEYS, type TemplateKey } from "../domain/requests/StrategyTemplates.ts"
import * as Recorded from "./demo/Recorded.ts"
import * as Example from "./example/Example.ts"
import { json } from "./program/shared.ts"

const directory = Args.text({ name: "dir" }).pipe(
  Args.withDescription("folder to write to; created if missing")
)

const force = Options.boolean("force").pipe(Options.withDescription("replace existing files"))

const template = Options.choice("template", [...TEMPLATE_KEYS, "rule"]).pipe(
  Options.optional,
  Options.withDescription(
    "a template of the dashboard, with the day and the alerts of its sample chart, or rule for a strategy with a rule of its own; by default a strategy of the demo"
  )
)

class NotWritten extends Data.TaggedError("NotWritten")<{ readonly message: string }> {}

export const example = Command.make(
  "example",
  { directory, template, force, json },
  ({ directory, force, json, template }) =>
    Effect.gen(function* () {
      const { grid, raising, recorded, strategy } = yield* chosen(template)
      const candles = Recorded.nameOf(recorded)
      const files = [
        ["strategy.json", `${JSON.stringify(strategy, undefined, 2)}\n`],
        [candles, yield* Effect.promise(() => Recorded.bytesOf(recorded))],
        raisingFile(raising),
        ["grid.json", `${JSON.stringify(grid, undefined, 2)}\n`]
      ] as const
      const there = files.map(([name]) => join(directory, name)).find((path) => existsSync(path))
      if (there !== undefined && !force)
        return yield* new NotWritten({ message: `${there} already exists: --force replaces it` })
      yield* Effect.try({
        try: () => {
          mkdirSync(directory, { recursive: true })
          for (const [name, content] of files) writeFileSync(join(directory, name), content)
        },
        catch: (cause) =>
          new NotWritten({
            message: `cannot write to ${directory}: ${cause instanceof Error ? cause.message : cause}`
          })
      })
      yield* Console.log(
        json
          ? JSON.stringify({ folder: directory, files: files.map(([name]) => name) })
          : written(directory, recorded, raising)
      )
    })
).pipe(
  Command.withDescription(
    "write a strategy, candles, alerts and a grid to try the back-test and the sweep with"
  )
)

const chosen = (template: Option.Option<TemplateKey | "rule">): Effect.Effect<Example.Example> => {
  if (Option.isNone(template)) return Effect.promise(Example.ofDemo)
  return Effect.succeed(template.value === "rule" ? Example.ofRule : Example.ofTemplate(template.value))
}

/** The file of what raises the alerts: its name and content. */
const raisingFile = (raising: Example.Raising): readonly [name: string, content: string] =>
  "rule" in raising
    ? ["rule.json", `${JSON.stringify(raising.rule, undefined, 2)}\n`]
    : ["alerts.jsonl", raising.alerts.map((alert) => `${JSON.stringify(alert)}\n`).join("")]

const written = (
  directory: string,
  recorded: keyof typeof RECORDED_DAYS,
  raising: Example.Raising
): string => {
  const candles = Recorded.nameOf(recorded)
  const [name] = raisingFile(raising)
  const option = "rule" in raising ? "--rule" : "--alerts"
  const inputs = `--candles ${RECORDED_DAYS[recorded].pair}=${directory}/${candles} ${option} ${directory}/${name}`
  return [
    `Written to ${directory}: strategy.json, ${name}, grid.json and ${candles}`,
    `(${Recorded.SOURCES[recorded]}).`,
    "Try them:",
    "",
    `  signalbox backtest --strategy ${directory}/strategy.json \\`,
    `    ${inputs}`,
    `  signalbox sweep --strategy ${directory}/strategy.json --grid ${directory}/grid.json \\`,
    `    ${inputs}`
  ].join("\n")
}
