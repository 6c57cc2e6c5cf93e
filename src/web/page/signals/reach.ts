// Decides whether a charting platform on the internet can call the server at an address. Pure.

/** An obstacle, the most important first. */
export type Obstacle = "invalid" | "computer" | "network" | "port" | "clear"

/** The obstacles of an address such as `https://box.example`. */
export const obstacles = (base: string): ReadonlyArray<Obstacle> => {
  const url = parsed(base)
  if (url === undefined) return ["invalid"]
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase()
  const found: Array<Obstacle> = []
  if (isComputer(host)) found.push("computer")
  else if (isNetwork(host)) found.push("network")
  if (url.port !== "" && url.port !== "80" && url.port !== "443") found.push("port")
  if (url.protocol === "http:" && found.length === 0) found.push("clear")
  return found
}

/** The webhook's URL at another address, with the token in it; a path of the address is kept. */
export const addressOf = (base: string, path: string, key?: string): string => {
  const url = new URL(path, "http://server")
  if (key !== undefined) url.searchParams.set("key", key)
  return `${base.trim().replace(/\/+$/, "")}${url.pathname}${url.search}`
}

const parsed = (base: string): URL | undefined => {
  try {
    const url = new URL(base.trim())
    return url.protocol === "http:" || url.protocol === "https:" ? url : undefined
  } catch {
    return undefined
  }
}

const isComputer = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^(127\.|0\.0\.0\.0$)/.test(host)

const isNetwork = (host: string): boolean =>
  /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(
    host
  ) ||
  /^(f[cd][0-9a-f]{2}|fe80):/.test(host) ||
  /\.(local|lan|internal|home\.arpa)$/.test(host) ||
  !/[.:]/.test(host)
