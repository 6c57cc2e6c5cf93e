import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** How much room rows take, and how much is left for them; unknown where nobody can tell. Bytes. */
export interface Room {
  readonly used: number
  readonly free: Option.Option<number>
}

/** Where rows are kept, as far as its room is concerned. A port. */
export class Storage extends Context.Tag("signalbox/services/Storage")<
  Storage,
  { readonly room: Effect.Effect<Room> }
>() {
  static readonly layerMemory = Layer.succeed(Storage, {
    room: Effect.succeed({ used: 0, free: Option.none() })
  })
}
