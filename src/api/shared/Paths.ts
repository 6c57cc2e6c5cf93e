// Paths whose answers are quiet for longer than a connection may be. They stand apart from the schemas of their
// operations, which a start has no time for.
export const EVENTS_PATH = "/v1/events"
export const BACKTESTS_PATH = "/v1/dashboard/backtests"
export const BACKUP_PATH = "/v1/dashboard/backup"
/** How the paths end at which an exchange is asked. */
export const ARMING_END = "/arming"
export const CHECK_END = "/check"
