import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** How much room rows take, and how much is left for them; unknown where nobody can tell. Bytes. */
export interface Room {
  readonly used: number
  readonly free: Option.Option<number>
}

/**
 * Where rows are kept, as far as its room is concerned. A port.
 *
 * **Whoever implements it keeps**
 *
 * - `room` is what is so now, cheap enough to be asked every few seconds; free room is what this process may still
 *   write, in bytes.
 * - Errors: none. What nobody can tell is a none.
 *
 * **Proved by** no suite: there is nothing to prove but the numbers.
 *
 * @category Ports
 */
export class Storage extends Context.Tag("signalbox/services/health/Storage")<
  Storage,
  { readonly room: Effect.Effect<Room> }
>() {
  static readonly layerMemory = Layer.succeed(Storage, {
    room: Effect.succeed({ used: 0, free: Option.none() })
  })
}
