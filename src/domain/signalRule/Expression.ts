// An expression of a rule, such as `crossover(ema(close, 9), ema(close, 21))`: read, checked, put into words and
// completed. The language is that of Pine's expressions; nothing in it can be run but the functions listed here.
import type * as Either from "effect/Either"
import { read as readText } from "../expression/Check.ts"
import type { Checked, Surroundings, Type } from "../expression/Checked.ts"
import { type Completion, complete as completions } from "../expression/Complete.ts"
import { parse } from "../expression/Parser.ts"
import { print } from "../expression/Print.ts"
import type { ExpressionError, Syntax } from "../expression/Syntax.ts"
import { describe as words } from "../expression/Words.ts"

export type { Checked, Completion, ExpressionError, Surroundings, Syntax, Type }

/**
 * Reads an expression that gives a number or a condition at each candle.
 *
 * Precedence, from tight to loose, is Pine's: `x[1]` and `.output`, then `-` `+` `not`, then `*` `/` `%`, `+` `-`, `>` `<`
 * `>=` `<=`, `==` `!=`, `and`, `or`, `?:`. Every call is computed at each candle, also within `?:`, `and` and `or`. An
 * expression has at most 2,000 characters, 200 parts, and looks back at most 5,000 candles.
 *
 * @example
 * ```ts
 * import * as Expression from "signalbox/domain/signalRule/Expression"
 *
 * const surroundings = { params: new Map([["fast", 9]]), timeframe: "1h" } as const
 * const rule = Expression.read("crossover(close, ema(close, fast))", "boolean", surroundings)
 * ```
 */
export const read: (
  text: string,
  type: Type,
  surroundings: Surroundings
) => Either.Either<Checked, ExpressionError> = readText

/** The expression in words, to end a sentence that begins with "buy when". */
export const describe: (checked: Checked) => string = words

/** Reads the tree of an expression, without a check of names and types. */
export const syntax: (text: string) => Either.Either<Syntax, ExpressionError> = parse

/** Writes a tree as text, which gives the same tree when it is read. */
export const format: (tree: Syntax) => string = print

/** What an editor offers at a place (characters before it) of a text that may be unfinished. */
export const complete: (
  text: string,
  place: number,
  params: ReadonlyMap<string, number>
) => ReadonlyArray<Completion> = completions
