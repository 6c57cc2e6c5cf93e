import { Context } from "effect"
import { Journal } from "../../src/services/Journal.ts"
import type { Alter, Base } from "./Server.ts"
import type { World } from "./World.ts"

/** Bugs by what one would call them. */
export type Bugs = Readonly<Record<string, (world: World) => Alter>>

/** A bug in one port: what is there in the place of the sound one, of each life of the server anew. */
export const within =
  <Id extends Base, Service>(
    tag: Context.Tag<Id, Service>,
    change: (sound: Service, world: World) => Service
  ): ((world: World) => Alter) =>
  (world) =>
  (base) =>
    Context.add(base, tag, change(Context.unsafeGet(base, tag), world))

type Append = (typeof Journal.Service)["append"]

/** A bug in how alerts get into the journal, whichever of its two ways they take. */
export const appending = (change: (append: Append, world: World) => Append) =>
  within(Journal, (sound, world) => {
    const append = change(sound.append, world)
    return { ...sound, append, offer: (draft, answer) => world.server.call(append(draft), answer) }
  })
