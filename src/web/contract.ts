import { Api } from "../api/Api.ts"
import { Backtests } from "../api/Backtests.ts"

/** The operations that the page may call. A group that `Api` has already is the same one again. */
export const contract = Api.add(Backtests)
