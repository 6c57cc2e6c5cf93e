// A key file that others may read ends `serve` with exit code 2.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { selfSigned } from "../lib/certificate.ts"
import { signalbox } from "../lib/cli.ts"
import { serving } from "../lib/serving.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-tls-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("a server with a key that others may read exits with 2, so that nothing restarts it", async () => {
  const { certificate, key } = selfSigned("box.example")
  const [cert, secret] = [join(folder, "cert.pem"), join(folder, "key.pem")]
  writeFileSync(cert, certificate)
  writeFileSync(secret, key, { mode: 0o644 })
  const options = ["--tls-cert", cert, "--tls-key", secret, "--db", join(folder, "x.db")]
  const { code, error } = await signalbox("serve", "--port", "0", "--prices", "none", ...options)
  expect([code, error]).toEqual([
    2,
    `signalbox: others may read or change the key ${secret} (mode 0644): chmod 600 ${secret}\n`
  ])
  chmodSync(secret, 0o600)
  const server = await serving(...options)
  try {
    const answer = await fetch(`${server.url}/healthz`, { tls: { rejectUnauthorized: false } })
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000")
  } finally {
    await server.stop()
  }
}, 30_000)
