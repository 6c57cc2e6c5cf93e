// Addresses of the guide, shared by the server, the build and the dashboard.

/** The contents; each page is beneath it. */
export const GUIDE_PATH = "/guide"

/** The page that answers every address beneath the guide that has none. */
export const MISSING_PATH = `${GUIDE_PATH}/404`

/** Whether an address belongs to the guide. */
export const isOfGuide = (path: string): boolean => path === GUIDE_PATH || path.startsWith(`${GUIDE_PATH}/`)

/** The pages, and headings in them, that the dashboard links to from its own pages and panels. */
export const LINKED_PLACES = [
  "backtests#alerts",
  "backtests#candles",
  "backtests#downloads",
  "backtests#in-the-dashboard",
  "backtests#rules",
  "differences",
  "differences#what-if",
  "first-steps",
  "notifications#commands-from-a-chat",
  "notifications#set-up",
  "public",
  "real-money",
  "real-money#connect",
  "running#backups",
  "running#markets",
  "running#restore",
  "server#8-paste-the-address-into-tradingview",
  "signal-rules",
  "webhooks",
  "webhooks#tokens"
] as const
export type LinkedPlace = (typeof LINKED_PLACES)[number]

/** The address of a page, or of a heading in it. */
export const addressOf = (place: LinkedPlace): string => `${GUIDE_PATH}/${place}`

/** The pages that fields, outcomes and errors link to: each has a heading for every one of them. */
export type ExplainingPage = "bots" | "reasons" | "errors"

/** The address of a heading: `headingOf("bots", "stop_loss")`. */
export const headingOf = (page: ExplainingPage, id: string): string => `${GUIDE_PATH}/${page}#${id}`

/** One section of the guide in the search's index. */
export type Indexed = readonly [path: string, id: string, title: string, page: string, text: string]
