// Opens the desktop's browser at a link. The link goes through a file that only its owner can read, because every user
// of the machine can read the arguments of a command.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"

type Environment = Readonly<Record<string, string | undefined>>

/** The command that opens a file on a desktop; undefined where there is none, as over SSH. */
export const opener = (
  platform: string,
  environment: Environment,
  find: (name: string) => string | null
): ReadonlyArray<string> | undefined => {
  if (environment["SSH_CONNECTION"] || environment["SSH_TTY"]) return undefined
  if (platform === "darwin") return ["/usr/bin/open"]
  if (!environment["DISPLAY"] && !environment["WAYLAND_DISPLAY"]) return undefined
  const command = find("xdg-open")
  return command === null ? undefined : [command]
}

/** How long the browser has to read the file, which is removed then. */
const READING = "5 seconds"

/** Whether the browser was started. It reads the file within a few seconds. */
export const open = (command: ReadonlyArray<string>, url: string): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const file = yield* page(url)
    const child = Bun.spawn([...command, file], { stdin: "ignore", stdout: "ignore", stderr: "ignore" })
    const code = yield* Effect.promise(() => child.exited)
    if (code !== 0) return false
    yield* Effect.sleep(READING)
    return true
  }).pipe(
    Effect.scoped,
    Effect.catchAllDefect(() => Effect.succeed(false))
  )

/** A page that leads to the link: in the home folder, because packaged browsers read no hidden or temporary folders. */
const page = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(homedir(), "signalbox-open-"))
      chmodSync(folder, 0o700)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ).pipe(
    Effect.map((folder) => {
      const file = join(folder, "signalbox.html")
      writeFileSync(file, leading(url), { mode: 0o600 })
      return file
    })
  )

const leading = (url: string): string => {
  const safe = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${safe}">
<title>Signalbox</title>
<p><a href="${safe}">Open Signalbox</a></p>
</html>
`
}
