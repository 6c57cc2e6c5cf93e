// The guide's page from one machine to many: its files are what the programs that they are for can read.
import { afterAll, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect, Option } from "effect"
import { SETTINGS } from "../../src/Config.ts"
import { find } from "../../src/cli/config/File.ts"
import { blocks } from "../lib/pages.ts"

const PAGE = readFileSync(resolve(import.meta.dir, "../../src/guide/many-machines.md"), "utf8")
const root = mkdtempSync(join(tmpdir(), "signalbox-machines-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test("its configuration is understood, and its containers name settings that exist", async () => {
  const file = join(root, "page.toml")
  writeFileSync(file, blocks(PAGE, "toml").join(""))
  expect(Option.isSome(await Effect.runPromise(find(Option.some(file))))).toBe(true)
  const known = new Set(
    Object.values(SETTINGS).flatMap((setting) => ("variable" in setting ? [setting.variable] : []))
  )
  const [compose = ""] = blocks(PAGE, "yaml")
  const named = [...compose.matchAll(/SIGNALBOX_[A-Z_]+/g)].map(([name]) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !known.has(name))).toEqual([])
  const read = Bun.YAML.parse(compose)
  expect(read).toMatchObject({
    services: {
      a: { environment: { SIGNALBOX_CLUSTER: "true", SIGNALBOX_NODE_HOST: "a" } },
      c: { environment: { SIGNALBOX_CLUSTER: "true", SIGNALBOX_NODE_HOST: "c" } }
    }
  })
})

/** Checks a file by the program that it is for; nothing to check where that is not installed. */
const checked = (name: string, args: ReadonlyArray<string>) => {
  const { exitCode, stderr } = Bun.spawnSync([name, ...args], { stderr: "pipe", stdout: "ignore" })
  expect({ exitCode, error: exitCode === 0 ? "" : stderr.toString() }).toEqual({ exitCode: 0, error: "" })
}

const proxies = join(root, "proxies")
const certificate = () => {
  mkdirSync(proxies, { recursive: true })
  const [key, pem] = [join(proxies, "privkey.pem"), join(proxies, "signalbox.pem")]
  const made = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=signalbox",
    "-keyout",
    key,
    "-out",
    pem
  ]
  checked("openssl", made)
  return { key, pem }
}

test.skipIf(Bun.which("caddy") === null)("Caddy reads its file", () => {
  const { pem } = certificate()
  const [text = ""] = blocks(PAGE, "caddyfile")
  const file = join(proxies, "Caddyfile")
  writeFileSync(file, text.replaceAll("/etc/caddy/signalbox.pem", pem))
  checked("caddy", ["adapt", "--validate", "--adapter", "caddyfile", "--config", file])
})

test.skipIf(Bun.which("nginx") === null)("nginx reads its file", () => {
  const { key, pem } = certificate()
  const [text = ""] = blocks(PAGE, "nginx")
  const file = join(proxies, "nginx.conf")
  const page = text
    .replaceAll(/\/etc\/nginx\/(fullchain|signalbox)\.pem/g, pem)
    .replaceAll("/etc/nginx/privkey.pem", key)
    .replace("listen 443 ssl", "listen 127.0.0.1:8443 ssl")
  writeFileSync(file, `pid ${proxies}/pid; error_log stderr; events {} http { access_log off; ${page} }`)
  checked("nginx", ["-t", "-c", file])
})
