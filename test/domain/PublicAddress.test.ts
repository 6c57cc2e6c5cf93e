import { expect, test } from "bun:test"
import { isPublic } from "../../src/domain/internal/PublicAddress.ts"
import { urlError } from "../../src/domain/requests/TargetRequest.ts"

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:81b::200e",
  "::ffff:8.8.8.8",
  "::ffff:808:808",
  "64:ff9b::8.8.8.8",
  "2002:808:808::1"
]
const PRIVATE = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::8.8.8.8",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::FFFF:10.0.0.1",
  "::ffff:169.254.169.254",
  "::ffff:0:127.0.0.1",
  "64:ff9b::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::a00:1",
  "64:ff9b:1::8.8.8.8",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2001:10::1",
  "2002:7f00:1::",
  "2002:a9fe:a9fe::1",
  "2002:c0a8:101::",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "ff0e::1"
]
const NONE = [
  "",
  "localhost",
  "1.1.1",
  "1.1.1.1.",
  "01.1.1.1",
  "0x8.8.8.8",
  "8.8.8.256",
  "1::2::3",
  "g::1",
  "8.8.8.8:80",
  "[::1]"
]

test.each(PUBLIC)("%s is public", (address) => expect(isPublic(address)).toBe(true))
test.each([...PRIVATE, ...NONE])("%j is not", (address) => expect(isPublic(address)).toBe(false))

const WAYS_HOME = [
  "https://127.0.0.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0177.0.0.1/",
  "https://0/",
  "https://127.0.0.1:8080/x",
  "https://[::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[64:ff9b::7f00:1]/",
  "https://169.254.169.254/latest/meta-data",
  "https://１２７.0.0.1/"
]
test.each(WAYS_HOME)("%s is refused as a target URL", (url) =>
  expect(urlError(url, { allowPrivate: false })).toContain("public")
)
test("malformed URLs, other schemes and URLs with a password are refused, whatever is allowed", () => {
  const wrong = [
    "x",
    "ftp://a.example/",
    "file:///etc/passwd",
    "https://me:pw@a.example/",
    "https://a.example@b/"
  ]
  for (const url of wrong)
    for (const allowPrivate of [true, false])
      expect([url, urlError(url, { allowPrivate })]).not.toEqual([url, undefined])
  expect(urlError("http://a.example/", { allowPrivate: false })).toBe("must begin with https://")
  expect(urlError("http://127.0.0.1:1/", { allowPrivate: true })).toBeUndefined()
  expect(urlError("https://a.example:8443/x?y=z", { allowPrivate: false })).toBeUndefined()
})
