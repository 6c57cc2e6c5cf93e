// Network addresses and host names of callers: what counts as local, and the network that failed authentications are
// counted for.
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

const LOCAL_NAME =
  /^(?:[a-z0-9_-]+|\d+\.\d+\.\d+\.\d+|\[[0-9a-f:.]+\]|[a-z0-9._-]+\.(?:local|localhost|internal))(?::\d+)?$/i

/** Whether a Host header holds an IP address or a local name, which no foreign site can own (DNS rebinding). */
export const isLocalName = (host: string): boolean => LOCAL_NAME.test(host)

/**
 * The network that failed authentications are counted for: an IPv4 address, or the first 64 bits of an IPv6 address,
 * since one customer usually has that many.
 */
export const networkOf = (address: string): string => {
  const mapped = MAPPED.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(":")) return address
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::")
  const groups = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length)
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":")}::/64`
}
