// Plain text tables: columns padded with spaces, without lines or colours.

export const columns = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** Seconds since the epoch as `2026-11-20 23:52` (UTC). */
export const moment = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"]

/** Bytes as `1.5 MiB`. */
export const size = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`
}

/** A name from outside, without control characters: it must not move the cursor or begin a new line. */
export const plain = (text: string): string => text.replaceAll(/\p{C}/gu, " ")
