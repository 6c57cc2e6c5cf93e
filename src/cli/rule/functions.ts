// The functions of the rule language as rows: what each takes and gives, and how many candles a usual call needs.
import * as Either from "effect/Either"
import { exampleOf, formOf } from "../../domain/expression/Examples.ts"
import { FUNCTION_NAMES, FUNCTIONS, type FunctionName } from "../../domain/expression/Functions.ts"
import * as Expression from "../../domain/signalRule/Expression.ts"
import * as Warmups from "../../trading/signalRule/Warmups.ts"

/** A function of the language. `example` is a usual call, and `warmup` what that needs, in words. */
export interface FunctionRow {
  readonly name: FunctionName
  readonly form: string
  readonly outputs: ReadonlyArray<string>
  readonly example: string
  readonly warmup: string
  readonly about: string
}

const surroundings = { params: new Map<string, number>(), timeframe: "1h" } as const

/** All functions, in the sequence of the language's own table. */
export const rows = (): ReadonlyArray<FunctionRow> =>
  FUNCTION_NAMES.map((name) => {
    const example = exampleOf(name)
    const { about, outputs = [] } = FUNCTIONS[name]
    return { name, form: formOf(name), outputs, example, warmup: warmupOf(example), about }
  })

const warmupOf = (example: string): string => {
  const number = Expression.read(example, "number", surroundings)
  const read = Either.isRight(number) ? number : Expression.read(example, "boolean", surroundings)
  const checked = Either.getOrThrow(read)
  const [base, ...longer] = Warmups.warmupsOf([checked], surroundings.timeframe)
  const all = [base, ...longer].flatMap((it) => (it === undefined ? [] : [it]))
  if (all.some(({ anchored }) => anchored)) return "all since its anchor"
  return longer.length === 0 ? String(base?.candles) : Warmups.inWords(longer)
}

/** The table as the guide has it. */
export const markdown = (): string =>
  [
    "| Function | Outputs | Example | Candles | What it is |",
    "|---|---|---|---|---|",
    ...rows().map(({ about, example, form, outputs, warmup }) =>
      [
        "",
        ` \`${form}\` `,
        ` ${outputs.map((it) => `\`.${it}\``).join(" ")} `,
        ` \`${example}\` `,
        ` ${warmup} `,
        ` ${about} `,
        ""
      ]
        .join("|")
        .replaceAll(/ {2,}/g, " ")
    )
  ].join("\n")
