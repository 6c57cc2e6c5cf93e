// The guide's page from an empty server to real money: its commands run in sequence, on a machine whose root is a
// folder, with stand-ins for systemd and the exchange.
import { afterAll, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { program } from "../lib/cli.ts"
import { blocks } from "../lib/pages.ts"
import { Market } from "../reliability/first/Market.ts"
import { until } from "../reliability/prices/until.ts"

const PAGE = readFileSync(resolve(import.meta.dir, "../../src/guide/server.md"), "utf8")
const SOON_MS = 20_000

const root = mkdtempSync(join(tmpdir(), "signalbox-machine-"))
const market = await Market.open()
const pushed: Array<string> = []
const phone = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    pushed.push(await request.text())
    return new Response("{}")
  }
})
afterAll(async () => {
  await shell("systemctl stop signalbox")
  await market.close()
  await phone.stop(true)
  rmSync(root, { recursive: true, force: true })
})

const freePort = async (): Promise<number> => {
  const server = Bun.serve({ port: 0, fetch: () => new Response("") })
  const { port = 0 } = server
  await server.stop(true)
  return port
}
const PORT = await freePort()

/** The page's absolute paths, in the folder. */
const placed = (text: string): string =>
  text.replaceAll(/(?<![\w.])\/(var\/lib\/signalbox|etc\/|usr\/local\/bin\/)/g, `${root}/$1`)

const CURL = Bun.which("curl") ?? "curl"
const SHIMS: Readonly<Record<string, string>> = {
  "apt-get": "",
  ufw: `echo "$*" >> ${root}/ufw.log`,
  getent: "echo 203.0.113.5 STREAM your-server.example",
  npx: '[ "$*" = "-y bun@1.4.5 run build --all" ]',
  useradd: `echo "$*" >> ${root}/useradd.log`,
  sleep: `for i in $(seq 200); do ${CURL} -sf http://127.0.0.1:${PORT}/readyz >/dev/null && exit 0; /bin/sleep 0.1; done; exit 1`,
  install: `words=(); while [ $# -gt 0 ]; do case "$1" in -o|-g) shift 2;; *) words+=("$1"); shift;; esac; done; /usr/bin/install "\${words[@]}"`,
  sudo: `[ "$1 $2 $3" = "-H -u signalbox" ] || exit 1; shift 3; HOME=${root}/var/lib/signalbox exec "$@"`,
  // The service's user may not write to /etc, so the master key is made in its home; root, who may run this, may.
  scp: `from=\${1#*:}; case "$2" in *:signalbox) cp ${root}/built signalbox;; *) [ -n "$(ls $from 2>/dev/null)" ] || from=${root}/etc/signalbox/master.key; cp $from "$2";; esac`,
  curl: `words=(); for word in "$@"; do words+=("\${word/https:\\/\\/your-server.example/http://127.0.0.1:${PORT}}"); done
exec ${CURL} --fail-with-body -H 'Host: your-server.example' -H 'X-Forwarded-Proto: https' -H 'X-Forwarded-For: 203.0.113.7' "\${words[@]}"`,
  systemctl: `action=$1; unit=\${@: -1}; units=${root}/etc/systemd/system; pid=${root}/pid
line() { sed -n "s#^ExecStart=##p" $units/$1 | sed 's#^/usr/local/bin/#${root}/usr/local/bin/#; s/\\$\\$/$/g; s/%%/%/g'; }
down() { [ -f $pid ] || return 0; kill $(cat $pid); while kill -0 $(cat $pid) 2>/dev/null; do /bin/sleep 0.05; done; rm $pid; }
up() { HOME=${root}/var/lib/signalbox STATE_DIRECTORY=${root}/var/lib/signalbox CONFIGURATION_DIRECTORY=${root}/etc/signalbox setsid $(line signalbox.service) >> ${root}/log 2>&1 < /dev/null & echo $! > $pid; }
case "$action $unit" in
  "daemon-reload daemon-reload"|"reload caddy") ;;
  "enable signalbox"|"start signalbox") up;;
  "stop signalbox") down;;
  "restart signalbox") down; up;;
  "enable signalbox-backup.timer") [ -f $units/$unit ];;
  "start signalbox-backup.service") eval "$(line $unit)";;
  *) echo "no such unit: $*" >&2; exit 1;;
esac`
}

const setUp = () => {
  for (const folder of [
    "bin",
    "root",
    "var/lib/signalbox",
    "etc/systemd/system",
    "etc/caddy",
    "usr/local/bin"
  ])
    mkdirSync(join(root, folder), { recursive: true, mode: 0o700 })
  const put = (path: string, script: string) =>
    writeFileSync(join(root, path), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 })
  for (const [name, script] of Object.entries(SHIMS)) put(join("bin", name), script)
  const { apiKey, secret } = market.stub.desk.credentials
  writeFileSync(join(root, "keys"), `${apiKey}\n${secret}\n`)
  writeFileSync(join(root, "topic"), `http://127.0.0.1:${phone.port}/topic\n`)
  const command = program.map((word) => `"${word}"`).join(" ")
  put(
    "built",
    `case "$*" in *"account connect"*) exec ${command} "$@" < ${root}/keys;; *"notify add"*) exec ${command} "$@" < ${root}/topic;; esac
exec ${command} "$@"`
  )
}

/** Runs a script on the machine, as root; what it prints. */
const shell = async (script: string): Promise<string> => {
  const child = Bun.spawn(["bash", "-c", `set -e\n${placed(script)}`], {
    cwd: join(root, "root"),
    env: {
      PATH: `${root}/usr/local/bin:${root}/bin:${process.env["PATH"]}`,
      HOME: join(root, "root"),
      SIGNALBOX_PORT: String(PORT),
      SIGNALBOX_EXCHANGE_URLS: `binance=${market.stub.url}`,
      SIGNALBOX_ALLOW_PRIVATE_TARGETS: "true"
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text()
  ])
  const code = await child.exited
  expect({ code, error: code === 0 ? "" : error, out: code === 0 ? "" : out }).toEqual({
    code: 0,
    error: "",
    out: ""
  })
  return out
}

/** The commands of the steps from one number to another. */
const steps = (from: number, to: number): string =>
  PAGE.split(/^## (?=\d+\. )/m)
    .filter((step) => Number.parseInt(step, 10) >= from && Number.parseInt(step, 10) <= to)
    .flatMap((step) => blocks(step, "sh"))
    .join("\n")

/** Sends the printed message of this type to the printed address, as TradingView would. */
const alert = async (pasted: string, type: string, time: string) => {
  const url = /^https:\/\/your-server\.example\S+$/m.exec(pasted)?.[0] ?? ""
  const line = pasted.split("\n").find((line) => line.startsWith("{") && line.includes(`"${type}"`)) ?? ""
  const message = line.replace("{{ticker}}", "BTCUSDT").replace("{{timenow}}", time)
  expect(message).not.toContain("{{")
  const answer = await fetch(url.replace("https://your-server.example", `http://127.0.0.1:${PORT}`), {
    method: "POST",
    headers: { "content-type": "application/json", host: "your-server.example" },
    body: message
  })
  expect(answer.status).toBe(200)
}

test("the page leads from an empty server to real money, and back", async () => {
  setUp()
  const { desk } = market.stub
  desk.book.funds.set("USDT", "2000")

  const checked = await shell(steps(1, 6))
  expect(checked).toContain("is ready")
  expect(readFileSync(join(root, "ufw.log"), "utf8").split("\n")).toContain("allow 443/tcp")
  const unit = readFileSync(join(root, "etc/systemd/system/signalbox.service"), "utf8")
  const useradd = readFileSync(join(root, "useradd.log"), "utf8").replaceAll(root, "")
  expect(unit).toContain(`#   useradd ${useradd}`)

  const pasted = await shell(steps(7, 8))
  await alert(pasted, "buy", "2026-11-23T07:00:00Z")
  // Kinds on the timeline are part of the interface, its words are not.
  const explains = (kind: string) => async () => (await shell("sb explain 1 --json")).includes(`"${kind}"`)
  await until("paper entry", explains("order_filled"), SOON_MS, 200)
  expect(await shell(steps(9, 9))).toContain("already_open")
  market.move({ bid: 62_000, ask: 62_010, last: 62_005 })
  await until("paper profit", explains("trade"), SOON_MS, 200)

  const watched = await shell(steps(10, 11))
  expect(watched).toMatch(/(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\.db/)
  expect(pushed.length).toBeGreaterThan(0)
  expect(desk.book.orders).toEqual([])
  expect(readdirSync(join(root, "root"))).toContain("master.key")

  const armed = await shell(steps(12, 13))
  expect(armed).toContain("binance is connected as main")
  await alert(pasted, "buy", "2026-11-23T08:00:00Z")
  await until("order at the exchange", () => desk.book.orders.length > 0, SOON_MS, 50)
  const orders = async () => shell("sb strategy orders 1")
  await until("fill", async () => (await orders()).includes("filled"), SOON_MS, 200)

  const stopped = await shell(steps(14, 14))
  expect(stopped).toContain("Entries of everybody are halted")
  const restored = await shell(steps(15, 16))
  expect(restored).toContain("is restored from")
  expect(await shell("sb halt --json; sb resume")).toContain("by a command")
  expect(existsSync(join(root, "usr/local/bin/signalbox-before"))).toBe(true)
}, 180_000)

test.skipIf(Bun.which("systemd-analyze") === null)("systemd understands the timer", () => {
  const [when = ""] = /(?<=OnCalendar=).+/.exec(PAGE) ?? []
  const { stdout } = Bun.spawnSync(["systemd-analyze", "calendar", "--iterations=2", when])
  expect(stdout.toString()).toContain("03:17:00")
})
