// The port that reports how much room the stored rows take, and how much is left.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** The bytes that rows take, and the bytes still free; none where that is unknown. */
export interface Room {
  readonly used: number
  readonly free: Option.Option<number>
}

/**
 * The room of the storage. A port.
 *
 * **An implementation keeps**
 *
 * - `room` is current and cheap enough to call every few seconds; free room is what this process may still write, in
 *   bytes.
 * - Errors: none. An unknown number is a none.
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
