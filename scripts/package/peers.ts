// The versions of Effect 3 that the package takes: the lines that `examples --matrix` runs, and the ranges that follow.

/** Versions that belong together, by package. */
export type Line = Readonly<Record<string, string>>

/**
 * Oldest first; the last is package.json's. Each minor of Effect 3 has minors of its own of the other packages.
 * Older ones than the first lack the repair of CVE-2026-32887, by which fibers took over the context of others.
 */
export const LINES: ReadonlyArray<Line> = [
  line("3.20.0", "0.95.0", "0.50.0", "0.59.0"),
  line("3.21.0", "0.96.0", "0.51.0", "0.60.0"),
  line("3.22.0", "0.97.0", "0.52.0", "0.61.0"),
  line("3.22.4", "0.97.2", "0.52.1", "0.61.1")
]

function line(effect: string, platform: string, sql: string, experimental: string): Line {
  return { effect, "@effect/platform": platform, "@effect/sql": sql, "@effect/experimental": experimental }
}

/** The range of a peer: from the oldest version of each compatible run of versions on; undefined if no line has it. */
export const range = (name: string, lines: ReadonlyArray<Line> = LINES): string | undefined => {
  const oldest = new Map<string, string>()
  for (const { [name]: version } of lines) {
    if (version === undefined) continue
    const key = compatible(version)
    oldest.set(key, oldest.get(key) ?? version)
  }
  return oldest.size === 0 ? undefined : [...oldest.values()].map((version) => `^${version}`).join(" || ")
}

/** The part of a version that a breaking change raises, as a caret reads it: `3` or `0.97`. */
export const compatible = (version: string): string => {
  const [major = "", minor = ""] = version.split(".")
  return major === "0" ? `${major}.${minor}` : major
}
