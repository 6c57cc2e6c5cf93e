// Writes the log to standard error, as JSON or for people, so that standard output holds only a command's result.
// Those who log leave secrets out: see `domain/internal/Redaction`.
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Config from "../../Config.ts"
import { isColourful } from "./colours.ts"
import { type UsageError, usage } from "./usage.ts"

/** One JSON object a line, with each annotation under its own name. */
const json = Logger.make(({ annotations, cause, date, logLevel, message }) =>
  JSON.stringify({
    time: date.toISOString(),
    level: logLevel._tag.toLowerCase(),
    message: textOf(message),
    ...Object.fromEntries(HashMap.toEntries(annotations)),
    ...(Cause.isEmpty(cause) ? {} : { cause: Cause.pretty(cause) })
  })
)

/** The same line for people. */
const pretty = (isColoured: boolean) => {
  const paint = (code: number, text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text)
  return Logger.make(({ annotations, cause, date, logLevel, message }) => {
    const about = HashMap.toEntries(annotations).map(([name, value]) => ` ${paint(DIM, `${name}=`)}${value}`)
    const why = Cause.isEmpty(cause) ? "" : `\n${Cause.pretty(cause)}`
    const time = paint(DIM, date.toISOString().slice(0, 19).replace("T", " "))
    const level = paint(COLOURS[logLevel._tag] ?? 0, logLevel.label.padEnd(5))
    return `${time} ${level} ${textOf(message)}${about.join("")}${why}`
  })
}

const DIM = 2
const COLOURS: Readonly<Partial<Record<LogLevel.LogLevel["_tag"], number>>> = {
  Debug: DIM,
  Info: 32,
  Warning: 33,
  Error: 31,
  Fatal: 31
}

const textOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) =>
      typeof part === "string" ? part : part instanceof Error ? part.message : JSON.stringify(part)
    )
    .join(" ")

const plain = Logger.withConsoleError(json)

/** The default: lines of JSON from level Info. */
export const layer = Layer.merge(
  Logger.replace(Logger.defaultLogger, plain),
  Logger.minimumLogLevel(LogLevel.Info)
)

/** The format that a command asked for. `auto` writes for people on a terminal, and JSON elsewhere. */
export const as =
  (format: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | UsageError, R> => {
    const error = Config.errorIn(Config.SETTINGS.logFormat, format)
    if (Option.isSome(error)) return usage(error.value)
    const isSeen = process.stderr.isTTY === true
    const written = format === "auto" ? (isSeen ? "pretty" : "json") : format
    if (written === "json") return self
    const logger = pretty(isColourful(process.stderr, process.env))
    return Effect.provide(self, Logger.replace(plain, Logger.withConsoleError(logger)))
  }
