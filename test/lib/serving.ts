// A server as a process of its own, on free ports, until the test ends it.
import { start } from "./cli.ts"

export interface Serving {
  /** Its address: `http://127.0.0.1:43210`. */
  readonly url: string
  /** Its output on standard error so far. */
  readonly said: () => string
  /** Waits up to ten seconds for output that matches; returns the match. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly stop: () => Promise<number>
}

const PATIENCE_MS = 10_000
const LOOK_MS = 10

/** Runs `serve` with these options and waits until it listens. */
export const serving = async (...options: ReadonlyArray<string>): Promise<Serving> => {
  const child = start("serve", "--port", "0", "--prices", "none", ...options)
  let said = ""
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stderr) said += decoder.decode(chunk, { stream: true })
  })()
  const says = async (pattern: RegExp) => {
    for (const began = performance.now(); performance.now() - began < PATIENCE_MS; await Bun.sleep(LOOK_MS)) {
      const found = pattern.exec(said)
      if (found !== null) return found
      if (child.exitCode !== null) break
    }
    child.kill("SIGKILL")
    throw new Error(`the server did not say ${pattern}, but: ${said}`)
  }
  const [, url = ""] = await says(/listening on (https?:\/\/\S+),/)
  return {
    url,
    said: () => said,
    says,
    stop: async () => {
      child.kill("SIGTERM")
      await reading
      return child.exited
    }
  }
}
