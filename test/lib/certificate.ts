// Makes self-signed certificates for 127.0.0.1 on the spot, so that no key is kept in the repository.
import { createSign, generateKeyPairSync } from "node:crypto"

/** A certificate and its key as PEM. */
export const selfSigned = (name: string, until = new Date(Date.now() + 365 * 86_400_000)) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const signature = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
  const subject = sequence(tagged(0x31, sequence(oid(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from(name)))))
  const address = tagged(0x87, Buffer.from([127, 0, 0, 1]))
  const names = sequence(oid(0x55, 0x1d, 0x11), tagged(0x04, sequence(address)))
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1, ...crypto.getRandomValues(new Uint8Array(8))])),
    signature,
    subject,
    sequence(time(new Date(until.getTime() - 400 * 86_400_000)), time(until)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(names))
  )
  const signed = createSign("sha256").update(body).sign(privateKey)
  const der = sequence(body, signature, tagged(0x03, Buffer.concat([Buffer.from([0]), signed])))
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
}

/** A DER value: tag, length, content. */
const tagged = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const value = Buffer.concat([...parts])
  const { length } = value
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}
const sequence = (...parts: ReadonlyArray<Buffer>): Buffer => tagged(0x30, ...parts)
const oid = (...bytes: ReadonlyArray<number>): Buffer => tagged(0x06, Buffer.from(bytes))
const time = (at: Date): Buffer =>
  tagged(0x18, Buffer.from(`${at.toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`))
