// The part of a signal's form that holds its rule.
import { useState } from "preact/hooks"
import { TIMEFRAMES } from "../../../../domain/candles/Timeframe.ts"
import { RULE_TEMPLATES } from "../../../../domain/signalRule/RuleTemplates.ts"
import { SelectField, SwitchField, TextAreaField, TextField } from "../../parts/Field.tsx"
import { GuidePage } from "../../parts/GuideLink.tsx"
import { type Cursor, useChecked } from "./checking.ts"
import { blankEntry, draftOf, type EntryDraft, type RuleDraft, timeframeFrom } from "./draft.ts"
import { EntryFields } from "./EntryFields.tsx"

/** The markets of a rule that was just begun. */
const MARKETS = "binance BTC/USDT"
/** The most conditions of a rule. */
const MOST_ENTRIES = 20

/** The draft of a template, with the markets that are there. */
export const templateOf = (name: string, markets: string): RuleDraft | undefined => {
  const found = RULE_TEMPLATES.find((it) => it.name === name)
  return found === undefined ? undefined : { ...draftOf({ ...found.rule, markets: [] }), markets }
}

interface Props {
  readonly rule: RuleDraft | undefined
  readonly errors: ReadonlyArray<string> | undefined
  readonly onRule: (rule: RuleDraft | undefined) => void
}

export const RuleFields = ({ errors, onRule, rule }: Props) => (
  <>
    <SwitchField
      name="rule"
      label="A rule of its own"
      value={rule !== undefined}
      onValue={(isOn) => onRule(isOn ? templateOf("crossing", MARKETS) : undefined)}
      errors={errors}
      explain={
        <>
          Conditions on candles that raise alerts without anything from outside.{" "}
          <GuidePage page="signal-rules">How rules are written</GuidePage>
        </>
      }
    />
    {rule === undefined ? null : <Editor rule={rule} onRule={onRule} />}
  </>
)

const Editor = ({ onRule, rule }: { rule: RuleDraft; onRule: (rule: RuleDraft) => void }) => {
  const [cursor, setCursor] = useState<Cursor>()
  const checked = useChecked(rule, cursor)
  const set = (change: Partial<RuleDraft>) => onRule({ ...rule, ...change })
  const setEntry = (entry: EntryDraft) =>
    set({ entries: rule.entries.map((it) => (it.key === entry.key ? entry : it)) })
  return (
    <div class="rule-editor">
      <Frame rule={rule} set={set} />
      {rule.entries.map((entry, index) => (
        <EntryFields
          key={entry.key}
          number={index + 1}
          entry={entry}
          checked={checked}
          onEntry={setEntry}
          onCursor={setCursor}
          onRemove={
            rule.entries.length === 1
              ? undefined
              : () => set({ entries: rule.entries.filter(({ key }) => key !== entry.key) })
          }
        />
      ))}
      {rule.entries.length < MOST_ENTRIES ? (
        <button
          type="button"
          class="button small"
          onClick={() => set({ entries: [...rule.entries, blankEntry(nextKey(rule), "sell")] })}
        >
          Add a condition
        </button>
      ) : null}
      <TextAreaField
        name="times"
        label="Times"
        required={false}
        mono
        rows={2}
        value={rule.times}
        onValue={(times) => set({ times })}
        placeholder="buy 0 9 * * 1 UTC"
        explain="One a line, whatever candles say: an alert, five fields of cron, a time zone."
      />
      <WitnessFields rule={rule} set={set} />
    </div>
  )
}

const nextKey = ({ entries }: RuleDraft): number => Math.max(-1, ...entries.map(({ key }) => key)) + 1

/** Whether the rule watches over alerts from outside. */
const WitnessFields = ({ rule, set }: { rule: RuleDraft; set: (change: Partial<RuleDraft>) => void }) => (
  <>
    <SelectField
      name="witness"
      label="Alerts from outside"
      value={rule.witness}
      onValue={(text) => set({ witness: text === "tell" || text === "stand_in" ? text : "" })}
      options={[
        { value: "", label: "None are awaited: the rule raises its alerts" },
        { value: "tell", label: "Tell me where one does not come" },
        { value: "stand_in", label: "Raise it where one does not come" }
      ]}
      explain="A rule with the conditions of your chart can watch over the alerts that the chart sends."
    />
    {rule.witness === "" ? null : (
      <TextField
        name="witness_seconds"
        label="Seconds to wait"
        required={false}
        value={rule.seconds}
        onValue={(seconds) => set({ seconds })}
        placeholder="90"
        explain="How long after the candle's close an alert from outside is awaited: 10 to 240."
      />
    )}
  </>
)

/** What all conditions share. */
const Frame = ({ rule, set }: { rule: RuleDraft; set: (change: Partial<RuleDraft>) => void }) => (
  <>
    <SelectField
      name="template"
      label="Begin with"
      value=""
      onValue={(name) => set(templateOf(name, rule.markets) ?? {})}
      options={[
        { value: "", label: "Choose a template to replace the conditions" },
        ...RULE_TEMPLATES.map(({ name, title }) => ({ value: name, label: title }))
      ]}
    />
    <TextAreaField
      name="markets"
      label="Markets"
      mono
      rows={2}
      value={rule.markets}
      onValue={(markets) => set({ markets })}
      placeholder={MARKETS}
      explain="A line for each exchange: its name, swap for perpetuals, and pairs. Each pair is looked at by itself."
    />
    <SelectField
      name="timeframe"
      label="Candles"
      value={rule.timeframe}
      onValue={(text) => set({ timeframe: timeframeFrom(text, rule.timeframe) })}
      options={TIMEFRAMES.map((value) => ({ value, label: value }))}
      explain="The rule is looked at once for each closed candle."
    />
    <TextField
      name="params"
      label="Numbers"
      required={false}
      value={rule.params}
      onValue={(params) => set({ params })}
      placeholder="fast = 9, slow = 21"
      explain="Names for numbers, which conditions use."
    />
  </>
)
