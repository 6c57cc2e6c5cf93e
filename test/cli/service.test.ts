// `service` and the watchdog: the unit's restrictions, and when the watchdog is fed.
import { afterAll, expect, test } from "bun:test"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { unit } from "../../src/cli/service/unit.ts"
import { signalbox } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "signalbox-service-"))
afterAll(() => rmSync(folder, { recursive: true }))

const usual = {
  binary: "/usr/local/bin/signalbox",
  user: "signalbox",
  group: "signalbox",
  words: [],
  isPrivileged: false
}
const linesOf = (text: string) => text.split("\n").filter((line) => /^\w+=/.test(line))

test("the unit denies the server all that it does not need", () => {
  const lines = linesOf(unit(usual))
  expect(lines).toEqual(
    expect.arrayContaining([
      "ExecStart=/usr/local/bin/signalbox serve",
      "User=signalbox",
      "Group=signalbox",
      "StateDirectory=signalbox",
      "ConfigurationDirectory=signalbox",
      "Restart=on-failure",
      "RestartPreventExitStatus=2",
      "TimeoutStopSec=30",
      "Type=exec",
      "WatchdogSec=120",
      "NotifyAccess=all",
      "MemoryMax=75%",
      // The kernel may end a back-test without ending the server.
      "OOMPolicy=continue",
      "StandardError=journal",
      "NoNewPrivileges=yes",
      "ProtectSystem=strict",
      "CapabilityBoundingSet=",
      "AmbientCapabilities=",
      "PrivateUsers=yes",
      "SystemCallFilter=@system-service",
      "SystemCallFilter=setpriority"
    ])
  )
  // The just-in-time compiler needs writable pages that run, and live prices list the network interfaces.
  expect(lines.some((line) => line.startsWith("MemoryDenyWriteExecute"))).toBe(false)
  expect(lines.find((line) => line.startsWith("RestrictAddressFamilies"))).toContain("AF_NETLINK")
})

const built = process.env["TESTED_PROGRAM"] ?? ""

test.skipIf(built === "")(
  "the unit clears variables that would run other code in the program's place",
  () => {
    const unset = /^UnsetEnvironment=(.+)$/m.exec(unit(usual))?.[1]?.split(" ") ?? []
    const preload = join(folder, "preload.js")
    writeFileSync(preload, `console.log("preloaded")`)
    const hostile: Readonly<Record<string, string>> = {
      BUN_BE_BUN: "1",
      BUN_OPTIONS: `--preload ${preload}`,
      BUN_INSPECT: "ws://127.0.0.1:0/x?wait=1"
    }
    expect(unset).toEqual(expect.arrayContaining(Object.keys(hostile)))
    const version = (env: Readonly<Record<string, string>>) =>
      Bun.spawnSync([built, "--version"], {
        env: { PATH: "/usr/bin", ...env },
        timeout: 2_000
      }).stdout.toString()
    const own = version({})
    // The runtime must obey each variable here. One that it ignores can be dropped from the guide and the unit.
    for (const [name, value] of Object.entries(hostile))
      expect([name, version({ [name]: value })]).not.toEqual([name, own])
    const kept = Object.entries(hostile).filter(([name]) => !unset.includes(name))
    expect(version(Object.fromEntries(kept))).toBe(own)
  },
  20_000
)

test("the commands that the unit shows print this very unit, and make its user and group", async () => {
  const lines = [
    "signalbox service",
    "signalbox service --port 443",
    "signalbox service --user bot --alert-port 443",
    "signalbox service --user bot --group traders --host 0.0.0.0 --port 9000 --alert-host :: --alert-port 80",
    "/opt/sb/signalbox service --binary /opt/sb/signalbox"
  ]
  const printed = await Promise.all(lines.map((line) => signalbox(...line.split(" ").slice(1))))
  for (const [index, { code, out }] of printed.entries()) {
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`#   ${lines[index]} > /etc/systemd/system/signalbox.service\n`)
    ])
  }
  const users = printed.map(({ out }) => out.match(/^# +(useradd|groupadd) .+$/gm) ?? [])
  expect(users[2]).toEqual([
    "#   useradd --system --user-group --home-dir /var/lib/signalbox --shell /usr/sbin/nologin bot"
  ])
  expect(users[3]).toEqual([
    "#   groupadd --system --force traders",
    "#   useradd --system --gid traders --home-dir /var/lib/signalbox --shell /usr/sbin/nologin bot"
  ])
}, 30_000)

test.each([
  ["--port 443", true],
  ["--alert-port 443", true],
  ["--port 8080 --alert-port 80", true],
  ["--port 1024 --alert-port 8443", false],
  ["", false]
])("a unit grants the capability if any of its ports is below 1024: %s", async (line, isGranted) => {
  const { code, out } = await signalbox("service", ...line.split(" ").filter((word) => word !== ""))
  expect(code).toBe(0)
  expect(linesOf(out)).toContain(
    isGranted ? "AmbientCapabilities=CAP_NET_BIND_SERVICE" : "AmbientCapabilities="
  )
})

test("only a privileged port needs a capability", () => {
  const lines = linesOf(unit({ ...usual, words: ["--port", "443"], isPrivileged: true }))
  const before = linesOf(unit(usual))
  expect(lines.filter((line) => !before.includes(line))).toEqual([
    "ExecStart=/usr/local/bin/signalbox serve --port 443",
    "CapabilityBoundingSet=CAP_NET_BIND_SERVICE",
    "AmbientCapabilities=CAP_NET_BIND_SERVICE",
    "PrivateUsers=no"
  ])
})

test.skipIf(Bun.which("systemd-analyze") === null).each([false, true])(
  "systemd rates the unit's exposure at 2.0 or less, with a privileged port: %p",
  (isPrivileged) => {
    const file = join(folder, "signalbox.service")
    writeFileSync(file, unit({ ...usual, isPrivileged }))
    const { stdout } = Bun.spawnSync([
      "systemd-analyze",
      "security",
      "--offline=true",
      "--threshold=20",
      file
    ])
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(stdout.toString())?.[1])
    expect(exposure).toBeGreaterThan(0)
    expect(exposure).toBeLessThanOrEqual(2)
  }
)

test("service prints the unit, and refuses options that could not work", async () => {
  const refusals = [
    "--binary=/tmp/signalbox",
    "--binary=signalbox",
    "--user=a b",
    "--port=0",
    "--host=a b",
    "--alert-port=65536",
    "--alert-host=a b"
  ]
  const [printed, ...refused] = await Promise.all([
    signalbox("service", "--user", "bot", "--host", "0.0.0.0", "--port", "9000"),
    ...refusals.map((refusal) => signalbox("service", refusal))
  ])
  expect(printed).toEqual({
    code: 0,
    out: unit({ ...usual, user: "bot", group: "bot", words: ["--host", "0.0.0.0", "--port", "9000"] }),
    error: ""
  })
  for (const [index, { code, error, out }] of refused.entries()) {
    expect([refusals[index], code, out]).toEqual([refusals[index], 2, ""])
    expect(error).toMatch(/^signalbox: --[a-z-]+ takes .+\n$/)
  }
})

/** Installs a `systemd-notify` that logs its calls. */
const fake = (name: string) => {
  const path = join(folder, name)
  mkdirSync(path)
  const log = join(path, "log")
  writeFileSync(
    join(path, "systemd-notify"),
    `#!/bin/sh\necho "$NOTIFY_SOCKET $1 \${SECRET:-none}" >> ${log}\n`
  )
  chmodSync(join(path, "systemd-notify"), 0o755)
  const said = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [])
  return { env: { PATH: `${path}:${process.env["PATH"]}`, NOTIFY_SOCKET: "/run/x", SECRET: "s" }, said }
}

const child = (code: string, env: Readonly<Record<string, string>>) =>
  Bun.spawn([process.execPath, "-e", code], {
    cwd: join(import.meta.dir, "../.."),
    env,
    stdio: ["ignore", "pipe", "inherit"]
  })

const FED = `import { Effect } from "effect"
import { fed } from "./src/cli/service/watchdog.ts"
const block = (ms) => Effect.sync(() => { const end = performance.now() + ms; while (performance.now() < end) {} })
`

test("the watchdog is notified at least twice within its time, and the notifier gets nothing of the environment", async () => {
  const { env, said } = fake("fed")
  await child(`${FED} await Effect.runPromise(fed(Effect.sleep(1500)))`, { ...env, WATCHDOG_USEC: "400000" })
    .exited
  expect(said().length).toBeGreaterThanOrEqual(4)
  expect(said().length).toBeLessThanOrEqual(9)
  expect(new Set(said())).toEqual(new Set(["/run/x WATCHDOG=1 none"]))
})

test("a blocked event loop does not notify the watchdog", async () => {
  const { env, said } = fake("held")
  const held = child(`${FED} await Effect.runPromise(fed(block(2500)))`, { ...env, WATCHDOG_USEC: "400000" })
  await held.exited
  expect(said().length).toBeLessThanOrEqual(2)
})

test("nothing is run if systemd keeps no watchdog, or keeps it for another process", async () => {
  const { env, said } = fake("none")
  const ran = (more: Readonly<Record<string, string>>) =>
    child(`${FED} await Effect.runPromise(fed(Effect.sleep(300)))`, { ...env, ...more }).exited
  expect(await ran({})).toBe(0)
  expect(await ran({ WATCHDOG_USEC: "100000", WATCHDOG_PID: "1" })).toBe(0)
  expect(said()).toEqual([])
})

test("a server notifies the watchdog from its start on", async () => {
  const { env, said } = fake("server")
  const server = Bun.spawn(
    [
      process.execPath,
      "src/main.ts",
      "serve",
      "--db",
      join(folder, "x.db"),
      "--port",
      "0",
      "--prices",
      "none"
    ],
    {
      cwd: join(import.meta.dir, "../.."),
      env: { ...env, WATCHDOG_USEC: "1000000" },
      stdio: ["ignore", "ignore", "pipe"]
    }
  )
  for await (const chunk of server.stderr) if (new TextDecoder().decode(chunk).includes("listening")) break
  expect(said().length).toBeGreaterThanOrEqual(1)
  server.kill()
  expect(await server.exited).toBe(0)
})
