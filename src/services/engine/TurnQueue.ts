// Decides who has the next turn of the engine. A request goes before the loops, and a loop goes before the next request:
// while both wait, they alternate.
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** Runs an effect while no other of the same queue runs. */
type InTurn = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The two ways into one queue. Those of one way go in the sequence of their coming. */
export interface TurnQueue {
  /** For a request, and for partitions that move. */
  readonly awaited: InTurn
  /** For a loop that looks for work. */
  readonly steady: InTurn
}

/** A place in the queue. */
interface Place {
  hasTurn: boolean
  readonly called: Deferred.Deferred<void>
}

/** Makes an empty queue. */
export const make = (): TurnQueue => {
  const awaiting: Array<Place> = []
  const looping: Array<Place> = []
  let isTaken = false
  let wasAwaited = false

  const next = (): Place | undefined => {
    const [first, second] = wasAwaited ? [looping, awaiting] : [awaiting, looping]
    const from = first.length > 0 ? first : second
    wasAwaited = from === awaiting
    return from.shift()
  }
  /** The turn goes from hand to hand: who comes later cannot take it in between. */
  const pass = () => {
    const place = next()
    isTaken = place !== undefined
    if (place === undefined) return
    place.hasTurn = true
    Deferred.unsafeDone(place.called, Effect.void)
  }
  const comeTo = (queue: Array<Place>, place: Place) =>
    Effect.suspend(() => {
      if (isTaken) {
        queue.push(place)
        return Deferred.await(place.called)
      }
      isTaken = true
      place.hasTurn = true
      wasAwaited = queue === awaiting
      return Effect.void
    })
  const leave = (queue: Array<Place>, place: Place) =>
    Effect.sync(() => {
      if (place.hasTurn) return pass()
      const index = queue.indexOf(place)
      if (index >= 0) queue.splice(index, 1)
    })
  const by =
    (queue: Array<Place>): InTurn =>
    (self) =>
      Effect.flatMap(Deferred.make<void>(), (called) => {
        const place: Place = { hasTurn: false, called }
        // The place is left however the effect ends: while it waits, as it is called, or in its turn.
        return Effect.ensuring(Effect.zipRight(comeTo(queue, place), self), leave(queue, place))
      })
  return { awaited: by(awaiting), steady: by(looping) }
}
