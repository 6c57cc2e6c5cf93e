// Decides who has the next turn of the engine, by the way in which it waits. Partitions that move go before all others. What
// is urgent has every second turn, and requests and loops alternate in the others: however many stand in one way, the first
// of another has its turn soon.
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** Runs an effect while no other of the same queue runs. */
type InTurn = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The ways into one queue. Those of one way go in the sequence of their coming. */
export interface TurnQueue {
  /** For partitions that move, and for nothing that comes often: it goes before the others. */
  readonly first: InTurn
  /** For a request. */
  readonly awaited: InTurn
  /** For what exchanges say: a position may have to be closed because of it. */
  readonly urgent: InTurn
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
  const [first, awaiting, urgent, looping] = [row(), row(), row(), row()]
  let isTaken = false
  let wasUrgent = false
  let wasAwaited = false

  const nextWay = (): Array<Place> => {
    if (first.length > 0) return first
    if (urgent.length > 0 && !wasUrgent) return urgent
    const [one, other] = wasAwaited ? [looping, awaiting] : [awaiting, looping]
    return [one, other].find((way) => way.length > 0) ?? urgent
  }
  const next = (): Place | undefined => {
    const way = nextWay()
    wasUrgent = way === urgent
    if (way === awaiting || way === looping) wasAwaited = way === awaiting
    return way.shift()
  }
  /** The turn goes from hand to hand: who comes later cannot take it in between. */
  const pass = () => {
    const place = next()
    isTaken = place !== undefined
    if (place === undefined) return
    place.hasTurn = true
    Deferred.unsafeDone(place.called, Effect.void)
  }
  const comeTo = (way: Array<Place>, place: Place) =>
    Effect.suspend(() => {
      way.push(place)
      if (!isTaken) pass()
      return place.hasTurn ? Effect.void : Deferred.await(place.called)
    })
  const leave = (way: Array<Place>, place: Place) =>
    Effect.sync(() => {
      if (place.hasTurn) return pass()
      const index = way.indexOf(place)
      if (index >= 0) way.splice(index, 1)
    })
  const by =
    (way: Array<Place>): InTurn =>
    (self) =>
      Effect.flatMap(Deferred.make<void>(), (called) => {
        const place: Place = { hasTurn: false, called }
        // The place is left however the effect ends: while it waits, as it is called, or in its turn.
        return Effect.ensuring(Effect.zipRight(comeTo(way, place), self), leave(way, place))
      })
  return { first: by(first), awaited: by(awaiting), urgent: by(urgent), steady: by(looping) }
}

const row = (): Array<Place> => []
