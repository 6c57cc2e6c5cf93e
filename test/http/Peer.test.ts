// The caller's address, also behind proxies.
import { expect, test } from "bun:test"
import { networkOf } from "../../src/http/edge/Peer.ts"

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:2::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"]
])("the address %s counts as the peer %s", (address, network) => {
  expect(networkOf(address)).toBe(network)
})
