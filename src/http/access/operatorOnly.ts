// Lets only the operator through: the account that was made first.
import * as Effect from "effect/Effect"
import { Caller } from "../../api/shared/Security.ts"
import { Accounts } from "../../services/Accounts.ts"
import { standingOf } from "../../services/internal/Operator.ts"
import { notOperator } from "../RequestRejected.ts"

/** Rejects every caller but the operator. */
export const operatorOnly = (accounts: typeof Accounts.Service) =>
  Effect.flatMap(Caller, ({ account }) =>
    Effect.filterOrFail(
      Effect.provideService(standingOf(account), Accounts, accounts),
      ({ isOperator }) => isOperator,
      () => notOperator
    )
  )
