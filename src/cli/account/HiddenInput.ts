// Reads secrets from a terminal without echo, or from standard input.
import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import * as Effect from "effect/Effect"
import { UsageError, usage } from "../program/usage.ts"
import { begins, ends } from "./Pem.ts"

/** More than the keys of any exchange need. */
const MAX_BYTES = 65_536

/** All of standard input. */
export const input = Effect.gen(function* () {
  const decoder = new TextDecoder()
  let text = ""
  const chunks = Bun.stdin.stream()
  yield* Effect.promise(async () => {
    for await (const chunk of chunks) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > MAX_BYTES) return
    }
  })
  return text.length > MAX_BYTES ? yield* usage("standard input is too long for keys") : text
})

/**
 * Asks questions on a terminal without showing the answers. The lines of a pasted private key count as one answer.
 * One reader serves all questions, so that text typed ahead is not lost.
 */
export const ask = (questions: ReadonlyArray<string>) =>
  Effect.async<ReadonlyArray<string>, UsageError>((resume) => {
    const answers: Array<string> = []
    let open: Array<string> = []
    const prompt = () => {
      const question = questions[answers.length]
      if (question !== undefined && open.length === 0) process.stderr.write(`${question} (not shown): `)
    }
    const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
    const stop = (result: Effect.Effect<ReadonlyArray<string>, UsageError>) => {
      lines.removeAllListeners()
      lines.close()
      process.stderr.write("\n")
      resume(result)
    }
    lines.on("line", (line) => {
      const isInside = open.length > 0 || (begins(line) && !ends(line))
      if (isInside) {
        open.push(line.trim())
        if (!ends(line)) return
      }
      answers.push(isInside ? open.join("\n") : line)
      open = []
      if (answers.length === questions.length) return stop(Effect.succeed(answers))
      process.stderr.write("\n")
      prompt()
    })
    // A terminal without echo sends no signals either: Ctrl-C ends the command here.
    lines.on("SIGINT", () => {
      lines.removeAllListeners()
      process.stderr.write("\n")
      process.kill(process.pid, "SIGINT")
    })
    lines.on("close", () => stop(Effect.fail(new UsageError({ message: "nothing was entered" }))))
    prompt()
    return Effect.sync(() => lines.close())
  })

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
