// A terminal session: what is typed and what is printed.
import type { Newcomer } from "../first/Newcomer.ts"
import type { Ended } from "../Program.ts"
import { must } from "../prices/until.ts"

export class Screen {
  seen = ""
  readonly #newcomer: Newcomer

  constructor(newcomer: Newcomer) {
    this.#newcomer = newcomer
  }

  /** Runs a command that must succeed; returns its output. Standard input is not shown. */
  async types(line: string, input = ""): Promise<string> {
    const { exitCode, stderr, stdout } = await this.tries(line, input)
    must(exitCode === 0, `signalbox ${line} ended with ${exitCode}: ${stderr.slice(0, 600)}`)
    return stdout
  }

  async tries(line: string, input = ""): Promise<Ended> {
    const ended = await this.#newcomer.run(words(line), input)
    const { exitCode, stderr, stdout } = ended
    const typed = input === "" ? "" : "  (the keys are typed, and not shown)\n"
    const code = exitCode === 0 ? "" : `  (exit ${exitCode})\n`
    this.seen += `$ signalbox ${line}\n${typed}${stdout}${stderr}${code}\n`
    return ended
  }

  /** Asks the API as curl would. */
  async asks(path: string, init: RequestInit = {}): Promise<string> {
    const text = await this.#newcomer.ask(path, init)
    const method = init.method === undefined ? "" : ` -X ${init.method}`
    this.seen += `$ curl -s${method} -H "authorization: Bearer $TOKEN" ${this.#newcomer.address}${path}\n${tidy(text)}\n\n`
    return text
  }

  /** Shows a message that was not asked for. */
  notes(text: string): void {
    this.seen += `# ${text}\n\n`
  }
}

const words = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "")

const tidy = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
