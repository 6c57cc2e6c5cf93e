// `signalbox completions`: prints a shell's completion script, made from the commands' own help pages.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as scripts from "./completions/scripts.ts"
import type { Page } from "./program/help/Page.ts"

const shell = Args.choice(
  [
    ["bash", scripts.bash],
    ["zsh", scripts.zsh],
    ["fish", scripts.fish]
  ],
  { name: "shell" }
).pipe(Args.withDescription("bash, zsh or fish"))

export const completions = (pages: () => Promise<ReadonlyArray<Page>>) =>
  Command.make("completions", { shell }, ({ shell }) =>
    Effect.flatMap(
      Effect.promise(() => pages()),
      (all) => Console.log(shell(all).trimEnd())
    )
  ).pipe(Command.withDescription("print a script that completes commands and options in bash, zsh or fish"))
