// Declarations as a reader wants them: a constant that can be called is a function, and a Tag has its service's
// members.
import { closing } from "../api/declarations.ts"

export const plain = (text: string): string => services(functions(text))

/** `const f: (a: A) => B` as `function f(a: A): B`. */
const functions = (text: string): string => {
  let made = ""
  let done = 0
  for (const { 0: start, 1: name, index } of text.matchAll(/^export declare const (\w+): (?=[(<])/gm)) {
    const from = index + start.length
    const list = text[from] === "<" ? closing(text, from) + 1 : from
    const end = text[list] === "(" ? closing(text, list) + 1 : from
    if (!text.startsWith(" => ", end)) continue
    made += `${text.slice(done, index)}export declare function ${name}${text.slice(from, end)}: `
    done = end + " => ".length
  }
  return made + text.slice(done)
}

/** `class S extends S_base` with the members that stand in the type of `S_base`. */
const services = (text: string): string => {
  let made = text
  for (const { 0: start, 1: base, index } of text.matchAll(
    /^declare const (\w+_base): Context\.(?:TagClass|ReferenceClass)<\w+, "[^"]*", (?=\{)/gm
  )) {
    const from = index + start.length
    const end = closing(text, from)
    if (!text.startsWith(">;", end + 1)) continue
    made = made.replace(` extends ${base} {`, () => ` {${text.slice(from + 1, end)}`)
  }
  return made
}
