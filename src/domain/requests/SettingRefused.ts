import * as Data from "effect/Data"

/** A setting that cannot be served with. */
export class SettingRefused extends Data.TaggedError("SettingRefused")<{ readonly message: string }> {}
