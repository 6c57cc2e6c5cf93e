// The sequence in which a start runs the program's functions: the build lays its bytecode out by it, so that a start
// reads fewer pages of the file, and a server keeps fewer of them in memory.
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** How long a server may take to listen, and to end and write the sequence down (ms). */
const PATIENCE_MS = 20_000

/**
 * Runs the program as a server until it listens, with `use` for the file that it leaves. Undefined where it leaves none:
 * the program is then as good, and starts a little slower.
 */
export const withOrder = async <A>(
  program: string,
  use: (order: string | undefined) => Promise<A>
): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-order-"))
  const order = join(folder, "order")
  try {
    const server = Bun.spawn(
      [program, "serve", "--port", "0", "--db", join(folder, "signalbox.db"), "--prices", "none"],
      {
        cwd: folder,
        env: { PATH: process.env["PATH"] ?? "", HOME: folder, BUN_BYTECODE_ORDER_OUT: order },
        stdio: ["ignore", "ignore", "pipe"]
      }
    )
    const timer = setTimeout(() => server.kill("SIGKILL"), PATIENCE_MS)
    for await (const bytes of server.stderr)
      if (new TextDecoder().decode(bytes).includes("listening on")) server.kill("SIGTERM")
    await server.exited
    clearTimeout(timer)
    return await use(existsSync(order) ? order : undefined)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
