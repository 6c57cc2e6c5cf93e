// Parsing of trusted proxies.
import { expect, test } from "bun:test"
import { Option } from "effect"
import { parse } from "../../src/http/edge/Proxies.ts"

const LIST = "127.0.0.1, 10.0.0.0/8,2001:db8:5::/48, ::1"

test.each([
  ["no proxy at all", "", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["a stranger's own word", LIST, "203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["a proxy's word", LIST, "127.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["what a stranger wrote before the proxy", LIST, "127.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
  ["two proxies in a row", LIST, "::1", "1.1.1.1, 198.51.100.1 , 10.9.9.9", "198.51.100.1"],
  ["nothing but proxies", LIST, "127.0.0.1", "10.0.0.1, 10.0.0.2", "10.0.0.1"],
  ["a proxy that says nothing", LIST, "127.0.0.1", null, "127.0.0.1"],
  ["a proxy that will not tell", LIST, "127.0.0.1", "198.51.100.1, unknown", "127.0.0.1"],
  ["nonsense behind a proxy", LIST, "127.0.0.1", "unknown, 10.0.0.3", "10.0.0.3"],
  ["an IPv4 peer as IPv6 maps it", LIST, "::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["an IPv6 block", LIST, "2001:db8:5:ffff::1", "2001:db8:6::7", "2001:db8:6::7"],
  ["beside the block", LIST, "2001:db8:6::1", "2001:db8:7::7", "2001:db8:6::1"],
  ["ports", LIST, "127.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
  ["ports of IPv6", LIST, "127.0.0.1", '"[2001:db8:6::7]:4711"', "2001:db8:6::7"],
  ["everybody", "0.0.0.0/0", "203.0.113.9", "198.51.100.1", "198.51.100.1"],
  ["everybody by IPv4 is not by IPv6", "0.0.0.0/0", "2001:db8::1", "198.51.100.1", "2001:db8::1"],
  ["an endless list", "0.0.0.0/0", "127.0.0.1", "1.1.1.1,".repeat(5000), "127.0.0.1"]
])("the client address is found for %s", (_, list, peer, forwardedFor, client) => {
  expect(Option.getOrThrow(parse(list)).clientOf(peer, forwardedFor)).toBe(client)
})

test.each([
  "10.0.0.0/33",
  "10.0.0/8",
  "10.0.0.256",
  "010.0.0.1",
  "1.2.3.4/",
  "1.2.3.4/8/8",
  "1.2.3.4,",
  "::/129",
  ":::",
  "1::2::3",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "g::",
  "localhost",
  "::1.2.3"
])("%s is refused as a list of proxies", (list) => {
  expect(parse(list)).toEqual(Option.none())
})

test("a list of proxies that is too long is refused", () => {
  const many = (count: number) => Array.from({ length: count }, () => "::1").join(",")
  expect(Option.isSome(parse(many(256)))).toBe(true)
  expect(parse(many(257))).toEqual(Option.none())
})
