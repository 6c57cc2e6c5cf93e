// Paths that are needed apart from the schemas of their operations, to keep the start and the dashboard short: of slow
// or silent responses, which the server's idle limit must not cut, and of signing in.
export const EVENTS_PATH = "/v1/events"
export const BACKTESTS_PATH = "/v1/dashboard/backtests"
export const BACKUP_PATH = "/v1/dashboard/backup"
/** Endings of the paths whose handlers call an exchange. */
export const ARMING_END = "/arming"
export const CHECK_END = "/check"
/** The dashboard's page that signs in by a code, as `?code=...` behind it. */
export const SIGN_IN_PAGE = "#/sign-in"
