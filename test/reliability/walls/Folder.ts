// The program's folder as an attack: files that a runtime might load, and modes of files that it writes.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { command, PROGRAM, token } from "../Program.ts"
import type { Row } from "../suite.ts"
import { Tally } from "../Tally.ts"
import { Person } from "./Person.ts"

/** Files that a runtime may load, each of which would leave a trace. */
export const evil = async (folder: string): Promise<Row> => {
  const tally = new Tally()
  const trap = join(folder, "trap")
  const home = join(folder, "home")
  mkdirSync(join(trap, "node_modules/effect"), { recursive: true })
  mkdirSync(home)
  const sprung = join(folder, "sprung")
  const script = `require("node:fs").writeFileSync(${JSON.stringify(sprung)}, "x")\n`
  const settings = `SIGNALBOX_PORT=1\nSIGNALBOX_HOST=0.0.0.0\nSIGNALBOX_CRUD_RATE=77\nSIGNALBOX_DB=${trap}/evil.db\nSIGNALBOX_DATABASE=postgres://evil@127.0.0.1:1/evil\nXDG_DATA_HOME=${trap}\nBUN_OPTIONS=--preload=${trap}/evil.ts\nNODE_OPTIONS=--require=${trap}/evil.js\n`
  for (const name of [".env", ".env.local", ".env.production", ".env.development"])
    writeFileSync(join(trap, name), settings)
  writeFileSync(
    join(trap, "bunfig.toml"),
    `preload = ["./evil.ts"]\n[run]\nbun = true\n[test]\npreload = ["./evil.ts"]\n`
  )
  for (const name of ["evil.ts", "evil.js", "main.ts", "index.ts", "node_modules/effect/index.js"])
    writeFileSync(join(trap, name), script)
  writeFileSync(
    join(trap, "package.json"),
    `{"name":"effect","main":"evil.js","imports":{"#x":"./evil.js"},"scripts":{"serve":"./evil.js"}}`
  )
  writeFileSync(join(trap, "tsconfig.json"), `{"compilerOptions":{"paths":{"*":["./evil.ts"]}}}`)
  const surroundings = { cwd: trap, env: { HOME: home, XDG_DATA_HOME: "", STATE_DIRECTORY: "" } }
  const seen = Bun.spawn([PROGRAM, "serve", "--port", "0"], {
    cwd: trap,
    env: { PATH: process.env["PATH"], HOME: home },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })
  const heard = await firstLine(seen.stderr)
  tally.check(/listening on http:\/\/127\.0\.0\.1:/.test(heard), () => `it said: ${heard}`)
  tally.check(
    heard.includes(`database ${home}/.local/share/signalbox/signalbox.db`),
    () => `it said: ${heard}`
  )
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(heard)?.[1])
  if (!(port > 0)) {
    seen.kill("SIGKILL")
    return tally.row("sealed: an evil folder", "the folder's settings were read")
  }
  const db = join(home, ".local/share/signalbox/signalbox.db")
  const person = new Person(port, await token(db, "me", "full"))
  const listed = await person.ask("GET", "/v1/signals")
  tally.check(
    listed?.headers.get("ratelimit-policy") === '"signals";q=2;w=1',
    () => `its rate is ${listed?.headers.get("ratelimit-policy")}`
  )
  person.line.close()
  seen.kill("SIGTERM")
  tally.check((await seen.exited) === 0, () => `it ended with ${seen.exitCode}`)
  for (const args of [
    ["--help"],
    ["serve", "--help"],
    ["token", "list", "--db", db],
    ["example", join(folder, "example")]
  ])
    tally.check((await command(args, surroundings)).exitCode === 0, () => `${args.join(" ")} failed`)
  // The error must name the default port, not the one that the folder's files set.
  const plain = await Promise.race([
    command(["serve", "--db", join(folder, "y.db"), "--host", "256.0.0.1"], surroundings),
    Bun.sleep(5000)
  ])
  tally.check(plain?.stderr.includes(":8080") === true, () => `it said: ${plain?.stderr}`)
  tally.check(!existsSync(sprung), () => "a script of the folder was run")
  tally.check(!existsSync(join(trap, "evil.db")), () => "the database of the folder's .env was made")
  const { stdout } = await command(["serve", "--help"], {
    env: { ...surroundings.env, SIGNALBOX_DB: "/canary/in/help.db", SIGNALBOX_HOST: "canary.example" }
  })
  tally.check(!stdout.includes("canary"), () => "--help shows what the environment holds")
  return tally.row("sealed: an evil folder", "nothing of it was run or read")
}

/** Checks that files belong to their owner alone, whatever the umask is. */
export const modes = async (folder: string): Promise<Row> => {
  const tally = new Tally()
  for (const umask of ["000", "022", "077"]) {
    const home = join(folder, umask)
    const data = join(home, "new/data")
    const db = join(data, "x.db")
    const child = Bun.spawn(
      ["sh", "-c", `umask ${umask}; exec "$0" "$@"`, PROGRAM, "serve", "--port", "0", "--db", db],
      {
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe"
      }
    )
    const heard = await firstLine(child.stderr)
    const person = new Person(Number(/127\.0\.0\.1:(\d+)/.exec(heard)?.[1]), await token(db, "me", "full"))
    await person.make("signal", {})
    for (const name of readdirSync(data)) {
      const mode = (statSync(join(data, name)).mode & 0o777).toString(8)
      tally.check(mode === "600", () => `umask ${umask}: ${name} has mode ${mode}`)
    }
    const names = readdirSync(data)
    for (const name of ["x.db", "x.db-wal", "x.db-shm", "x.db.lock"])
      tally.check(names.includes(name), () => `umask ${umask}: there is no ${name}, but ${names.join(", ")}`)
    for (const name of [data, join(home, "new")]) {
      const mode = (statSync(name).mode & 0o777).toString(8)
      tally.check(mode === "700", () => `umask ${umask}: ${name} has mode ${mode}`)
    }
    person.line.close()
    child.kill("SIGTERM")
    await child.exited
  }
  return tally.row("sealed: modes of files", "0600, folders 0700")
}

const firstLine = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  let text = ""
  const decoder = new TextDecoder()
  for await (const bytes of stream.values({ preventCancel: true })) {
    text += decoder.decode(bytes, { stream: true })
    if (text.includes("\n")) break
  }
  return text
}
