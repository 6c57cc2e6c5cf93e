// The frame of a dialog for an order by hand: what it would do by the server's own preview, what went wrong, and its
// buttons.
import type { ComponentChildren } from "preact"
import { Problem } from "../Problem.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { ProblemNotice } from "../parts/GuideLink.tsx"
import { Loading } from "../parts/States.tsx"
import { Notice } from "../parts/Toast.tsx"
import { Sentence } from "../parts/Value.tsx"
import type { Query } from "../query.ts"
import type { Result, useActing } from "./acting.ts"

interface Props {
  readonly title: string
  readonly action: string
  readonly exchange: string
  readonly onClose: () => void
  readonly acting: ReturnType<typeof useActing>
  readonly preview: Query<Result>
  /** Whether the order is whole enough to be sent. */
  readonly isReady?: boolean
  /** Whether nothing is chosen yet, so that there is no preview to wait for. */
  readonly isIdle?: boolean
  /** The fields of the order. */
  readonly children?: ComponentChildren
  /** More about the preview. */
  readonly shown?: (result: Result) => ComponentChildren
}

export const HandDialog = (props: Props) => {
  const {
    acting,
    action,
    children,
    exchange,
    isIdle = false,
    isReady = true,
    onClose,
    preview,
    shown,
    title
  } = props
  const { data } = preview
  const refused = preview.problem
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {data === undefined ? (
        refused === undefined && !isIdle ? (
          <Loading what="Reading what it would do" />
        ) : null
      ) : refused === undefined ? (
        <div class="prose" aria-live="polite">
          <p>
            {data.real_money ? (
              <strong>This is real money: the order goes to {exchange}.</strong>
            ) : (
              "On paper: no order goes to an exchange."
            )}
          </p>
          <p>
            <Sentence text={data.text} />
          </p>
          {shown?.(data)}
        </div>
      ) : null}
      {refused === undefined ? null : <ProblemNotice problem={named(refused)} />}
      {acting.problem === undefined ? null : <ProblemNotice problem={named(acting.problem)} />}
      {acting.isLocked ? (
        <Notice tone="warn">
          Nobody knows yet whether it was done. Try again: the server does it once, however often this is
          sent.
        </Notice>
      ) : null}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {acting.isLocked ? "Close this window" : "Leave it"}
        </button>
        <button
          type="button"
          class="button danger"
          disabled={
            acting.isBusy || !isReady || (!acting.isLocked && (refused !== undefined || data === undefined))
          }
          onClick={acting.act}
        >
          {acting.isLocked ? "Try again" : action}
        </button>
      </div>
    </Dialog>
  )
}

/** The server's text, with what it says of single fields. */
const named = (problem: Problem): Problem => {
  const fields = Object.entries(problem.errors)
    .map(([field, texts]) => `${field} ${texts.join("; ")}`)
    .filter((text) => !problem.message.includes(text))
  return fields.length === 0
    ? problem
    : new Problem(problem.status, problem.code, `${problem.message}: ${fields.join("; ")}`)
}
