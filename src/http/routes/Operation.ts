// Operations of a path by method: their names, access rules and the `Allow` header.
import type { AccessRule } from "../../api/shared/Security.ts"

/** One operation: its name for the log, and its access rule. */
export interface Operation {
  readonly operation: string
  readonly access: AccessRule
}

/** The operations of one path, by method. */
export type Operations = ReadonlyMap<string, Operation>

/** The methods of a path, as `Allow` lists them. */
export const allowed = (operations: Operations): string => {
  const methods = [...operations.keys()]
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
}

/** The operations of a page besides the contract. */
export const OF_PAGE: Operations = new Map([
  ["GET", { operation: "page", access: { scope: "full", bucket: "reads" } }]
])
