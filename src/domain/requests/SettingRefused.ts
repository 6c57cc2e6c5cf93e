// The error of a server setting that the server cannot run with; its message says what to change.
import * as Data from "effect/Data"

/** The setting cannot be used. */
export class SettingRefused extends Data.TaggedError("SettingRefused")<{ readonly message: string }> {}
