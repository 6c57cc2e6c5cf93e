// What is said of rules wherever one is seen, until servers look at them by themselves.

/** No alert is raised by a rule yet. */
export const STANDING = "back-tested only"
