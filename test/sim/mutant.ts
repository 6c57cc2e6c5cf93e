// Helpers to plant a bug into one port of a simulated server.
import { Context } from "effect"
import { Journal } from "../../src/services/Journal.ts"
import type { Alter, Base } from "./Server.ts"
import type { World } from "./World.ts"

/** Planted bugs by name. */
export type Bugs = Readonly<Record<string, (world: World) => Alter>>

/** Replaces one port by a faulty one, anew in each life of the server. */
export const within =
  <Id extends Base, Service>(
    tag: Context.Tag<Id, Service>,
    change: (sound: Service, world: World) => Service
  ): ((world: World) => Alter) =>
  (world) =>
  (base) =>
    Context.add(base, tag, change(Context.unsafeGet(base, tag), world))

type Append = (typeof Journal.Service)["append"]

/** A bug in both ways into the journal. */
export const appending = (change: (append: Append, world: World) => Append) =>
  within(Journal, (sound, world) => {
    const append = change(sound.append, world)
    return { ...sound, append, offer: (draft, answer) => world.server.call(append(draft), answer) }
  })
