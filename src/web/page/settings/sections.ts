// The sections of the settings, by their names in the URL.

export const SECTIONS = [
  { key: "tokens", title: "Tokens" },
  { key: "exchanges", title: "Exchanges" },
  { key: "candles", title: "Candles" },
  { key: "accounts", title: "Exchange accounts" },
  { key: "notifications", title: "Notifications" },
  { key: "backup", title: "Backup" },
  { key: "about", title: "About" }
] as const

export type Section = (typeof SECTIONS)[number]

/** The section of a name; the first without a name, undefined for an unknown one. */
export const sectionOf = (name: string | undefined): Section | undefined =>
  name === undefined ? SECTIONS[0] : SECTIONS.find(({ key }) => key === name)
