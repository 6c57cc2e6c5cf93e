// Whether the server records candles, as a reference: without a layer it does not.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** `paused`: there is too little free disk, and candles are dropped until there is more. */
export type RecordingState = "on" | "off" | "paused"

/** The state of recording. */
export class CandleRecording extends Context.Reference<CandleRecording>()(
  "signalbox/services/feeds/CandleRecording",
  {
    defaultValue: (): { readonly state: Effect.Effect<RecordingState> } => ({ state: Effect.succeed("off") })
  }
) {}
