// Paths of slow or silent responses, which the server's idle limit must not cut. They are apart from the schemas of
// their operations to keep the start short.
export const EVENTS_PATH = "/v1/events"
export const BACKTESTS_PATH = "/v1/dashboard/backtests"
export const BACKUP_PATH = "/v1/dashboard/backup"
/** Endings of the paths whose handlers call an exchange. */
export const ARMING_END = "/arming"
export const CHECK_END = "/check"
