// Parses IP addresses into 128-bit numbers, IPv4 as IPv4-mapped IPv6, so that both families share one comparison.

/** The address as a number; undefined if the text is no IP address. */
export const addressOf = (text: string): bigint | undefined => {
  if (!text.includes(":")) {
    const four = quadOf(text)
    return four === undefined ? undefined : (0xffffn << 32n) | four
  }
  const halves = (text.split("%")[0] ?? "").split("::")
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":").flatMap(groupsOf)))
  const zeros = 8 - head.length - tail.length
  if (halves.length > 2 || (halves.length === 2 ? zeros < 1 : zeros !== 0)) return undefined
  const groups = [...head, ...Array.from({ length: zeros }, () => "0"), ...tail]
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
    : undefined
}

/** One group, or the two groups of a dotted IPv4 ending. */
const groupsOf = (text: string): ReadonlyArray<string> => {
  const four = text.includes(".") ? quadOf(text) : undefined
  return four === undefined ? [text] : [(four >> 16n).toString(16), (four & 0xffffn).toString(16)]
}

const quadOf = (text: string): bigint | undefined => {
  const parts = text.split(".")
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
    ? parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
    : undefined
}
