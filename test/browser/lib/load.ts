// The machine's load, printed beside timings.
import { availableParallelism, loadavg } from "node:os"

/** The load of the processors, to judge a time that was too long. */
export const load = (): string => {
  const [wanted = 0] = loadavg()
  const cores = availableParallelism()
  return wanted <= cores ? "" : ` (on a busy machine: ${wanted.toFixed(1)} wanted its ${cores} processors)`
}
