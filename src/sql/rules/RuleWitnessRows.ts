// The rows of alerts of rules that wait for one from outside.
import * as Schema from "effect/Schema"
import { AccountId } from "../../domain/Account.ts"
import { Instruction } from "../../domain/Alert.ts"
import { SignalId } from "../../domain/Signal.ts"
import { WITNESS_MODES } from "../../domain/signalRule/Witness.ts"
import * as Rows from "../rows/Rows.ts"

/** An instruction as it is stored. */
export const InstructionText = Schema.parseJson(Instruction)

/** Reads rows of `COLUMNS`. */
export const awaited = Rows.reader(
  Schema.Struct({
    key: Schema.String,
    signal: SignalId,
    account: AccountId,
    version: Schema.Int,
    mode: Schema.Literal(...WITNESS_MODES),
    at: Schema.Int,
    dueAt: Schema.Int,
    instruction: InstructionText,
    origin: Schema.String
  })
)

/** The columns of a row; the account is its signal's. */
export const COLUMNS = `rule_witnesses.key, signal_id AS signal, signals.account, version, mode, at, due_at AS "dueAt",
  instruction, origin`
/** The table with its signals. */
export const TABLE = "rule_witnesses JOIN signals ON signals.id = rule_witnesses.signal_id"
