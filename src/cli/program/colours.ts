// Decides whether output has colours: only on a terminal, and not with NO_COLOR or TERM=dumb. Help pages are 100
// columns wide (help/render.ts), tables as wide as what they hold (table.ts).
import * as Effect from "effect/Effect"

/**
 * Removes colour codes if the output goes to a file or another program, or if colours are unwanted. On a terminal
 * standard error is written without `console.error`, which paints every line red in Bun, though few are errors.
 */
export const plainWhenPiped = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.consoleWith((console) => {
    const seen = (stream: { readonly isTTY?: boolean }, parts: ReadonlyArray<unknown>) =>
      isColourful(stream, process.env) ? parts : parts.map(plain)
    const error =
      process.stderr.isTTY === true
        ? (...parts: ReadonlyArray<unknown>) => {
            process.stderr.write(`${seen(process.stderr, parts).map(textOf).join(" ")}\n`)
          }
        : (...parts: ReadonlyArray<unknown>) => console.unsafe.error(...seen(process.stderr, parts))
    return Effect.withConsole(program, {
      ...console,
      unsafe: { ...console.unsafe, error },
      log: (...parts) => console.log(...seen(process.stdout, parts)),
      error: (...parts) => Effect.sync(() => error(...parts))
    })
  })

const textOf = (part: unknown): string => (typeof part === "string" ? part : Bun.inspect(part))

/** Whether a stream is a terminal that wants colours (no-color.org). */
export const isColourful = (
  { isTTY }: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>
): boolean => isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb"

const plain = (part: unknown): unknown => (typeof part === "string" ? Bun.stripANSI(part) : part)
