import type { AccessRule } from "../../api/shared/Security.ts"

/** One operation: its name for the log, and what it asks of its caller. */
export interface Operation {
  readonly operation: string
  readonly access: AccessRule
}

/** What one path can do, by method. */
export type Operations = ReadonlyMap<string, Operation>

/** The methods of a path, as `Allow` lists them. */
export const allowed = (operations: Operations): string => {
  const methods = [...operations.keys()]
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
}

/** What a page beside the contract can do. */
export const OF_PAGE: Operations = new Map([
  ["GET", { operation: "page", access: { scope: "full", bucket: "reads" } }]
])
