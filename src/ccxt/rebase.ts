// Moves an exchange's URLs behind another base URL, keeping the host in the path, so that one base serves all hosts of
// an exchange.

/**
 * `https://api.kraken.com/0` behind `http://127.0.0.1:7001` becomes `http://127.0.0.1:7001/api.kraken.com/0`; `wss:`
 * becomes `ws:` for an `http:` base. Texts that are no URLs stay as they are.
 */
export const rebase = (urls: unknown, base: string): unknown => {
  if (typeof urls === "string") return rebased(urls, base.replace(/\/+$/, ""))
  if (typeof urls !== "object" || urls === null) return urls
  return Object.fromEntries(Object.entries(urls).map(([name, value]) => [name, rebase(value, base)]))
}

const rebased = (url: string, base: string): string => {
  const [, scheme, rest] = /^(https?|wss?):\/\/(.*)$/.exec(url) ?? []
  if (scheme === undefined || rest === undefined) return url
  return `${scheme.startsWith("ws") ? base.replace(/^http/, "ws") : base}/${rest}`
}
