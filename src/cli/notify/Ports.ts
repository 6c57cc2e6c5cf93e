// What the commands about notifications share: settings, the operator's view of targets, and the layers that they run on.
import * as Args from "@effect/cli/Args"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Config from "../../Config.ts"
import type { Target } from "../../domain/Target.ts"
import * as Post from "../../outbound/Post.ts"
import * as Records from "../../Records.ts"
import { notifyingOf } from "../../Server.ts"
import { Notifications } from "../../services/Notifications.ts"
import { Targets } from "../../services/notify/Targets.ts"
import * as MachineVault from "../../vault/Vault.ts"
import { option } from "../config/options.ts"

/** The target does not exist or could not be reached: exit code 1. */
export class NotifyFailed extends Data.TaggedError("NotifyFailed")<{ readonly message: string }> {}

/** The settings that sending needs. */
export const sending = {
  allowPrivateTargets: option(Config.SETTINGS.allowPrivateTargets),
  telegramUrl: option(Config.SETTINGS.telegramUrl)
}

/** The argument that names a notification. */
export const id = Args.integer({ name: "id" }).pipe(
  Args.withDescription("the notification's id, as signalbox notify list shows it")
)

/** The operator's view: a target of any account. */
export const targetOf = (id: number): Effect.Effect<Target, NotifyFailed, Targets> =>
  Effect.flatMap(
    Effect.flatMap(Targets, (targets) => targets.all),
    (all) => {
      const found = all.find((target) => target.id === id)
      return found === undefined
        ? new NotifyFailed({ message: `there is no notification ${id}` })
        : Effect.succeed(found)
    }
  )

/** Secrets of targets are sealed with this machine's master key. */
export const targets = Records.layerTargets.pipe(Layer.provideMerge(MachineVault.layer))

/** The use case, with what it sends through. */
export const notifying = (options: Parameters<typeof notifyingOf>[0]) =>
  Notifications.layer(notifyingOf(options)).pipe(
    Layer.provide(Post.layer(notifyingOf(options))),
    Layer.provideMerge(targets)
  )
