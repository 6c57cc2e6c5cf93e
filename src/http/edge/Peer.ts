const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

const LOCAL_NAME =
  /^(?:[a-z0-9_-]+|\d+\.\d+\.\d+\.\d+|\[[0-9a-f:.]+\]|[a-z0-9._-]+\.(?:local|localhost|internal))(?::\d+)?$/i

/** Whether a Host header holds an address or a name that nobody elsewhere can own: no page of theirs is asked for by it. */
export const isLocalName = (host: string): boolean => LOCAL_NAME.test(host)

/**
 * The network that failed authentications are counted for: an IPv4 address by itself, an IPv6 one by its first 64
 * bits, since one customer is usually given that many.
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
