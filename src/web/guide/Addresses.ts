// Addresses of the guide, shared by the server, the build and the dashboard.

/** The contents; each page is beneath it. */
export const GUIDE_PATH = "/guide"

/** The page that answers every address beneath the guide that has none. */
export const MISSING_PATH = `${GUIDE_PATH}/404`

/** Whether an address belongs to the guide. */
export const isOfGuide = (path: string): boolean => path === GUIDE_PATH || path.startsWith(`${GUIDE_PATH}/`)

/** The pages that the dashboard links to as a whole. */
export const LINKED_PAGES = ["first-steps", "webhooks", "real-money"] as const
export type LinkedPage = (typeof LINKED_PAGES)[number]

/** The address of a page. */
export const pageOf = (page: LinkedPage): string => `${GUIDE_PATH}/${page}`

/** The pages that fields, outcomes and errors link to: each has a heading for every one of them. */
export type ExplainingPage = "bots" | "reasons" | "errors"

/** The address of a heading: `headingOf("bots", "stop_loss")`. */
export const headingOf = (page: ExplainingPage, id: string): string => `${GUIDE_PATH}/${page}#${id}`

/** One section of the guide in the search's index. */
export type Indexed = readonly [path: string, id: string, title: string, page: string, text: string]
