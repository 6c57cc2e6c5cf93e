// Splits text into lines, but keeps each PEM private key in one piece.

export const gather = (lines: ReadonlyArray<string>, most: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  let open: Array<string> | undefined
  for (const line of lines) {
    const word = line.trim()
    if (open === undefined && word === "") continue
    if (open === undefined && begins(word) && !ends(word)) open = [word]
    else if (open === undefined) found.push(line.replace(/\r$/, ""))
    else {
      open.push(word)
      if (!ends(word)) continue
      found.push(open.join("\n"))
      open = undefined
    }
  }
  if (open !== undefined) found.push(open.join("\n"))
  return found.slice(0, most)
}

export const begins = (line: string): boolean => line.includes("-----BEGIN ")
export const ends = (line: string): boolean => line.includes("-----END ")
