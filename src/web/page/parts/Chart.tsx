// A chart of prices or equity, with a line below that reads it at the pointer. The drawing library is loaded with the
// first chart.
import { useEffect, useRef, useState } from "preact/hooks"
import { ChartReader } from "./chart/ChartReader.tsx"
import type { Drawing, Drawn } from "./draw.ts"

export type { Drawing } from "./draw.ts"

interface Props extends Drawing {
  /** The content of the chart, for screen readers. */
  readonly label: string
  /** In pixels; the width is the container's. */
  readonly height?: number
}

export const Chart = ({ label, height = 300, ...drawing }: Props) => {
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<Drawn>()
  const latest = useRef<Drawing>(drawing)
  latest.current = drawing
  const [state, setState] = useState<"loading" | "there" | "failed">("loading")
  const [at, setAt] = useState<number>()

  useEffect(() => {
    let gone = false
    import("./draw.ts").then(
      ({ draw }) => {
        if (gone || place.current === null) return
        drawn.current = draw(place.current, latest.current, setAt)
        setState("there")
      },
      () => gone || setState("failed")
    )
    return () => {
      gone = true
      drawn.current?.remove()
      drawn.current = undefined
    }
  }, [])
  const { levels, markers, series, fit } = drawing
  useEffect(() => drawn.current?.update({ series, levels, markers, fit }), [series, levels, markers, fit])

  return (
    <>
      <figure class="chart" style={{ height: `${height}px` }}>
        <div class="chart-place" ref={place} role="img" aria-label={label} />
        {state === "there" ? null : (
          <figcaption class="chart-note">
            {state === "loading"
              ? "Drawing…"
              : "The chart could not be loaded: reload the page to try again."}
          </figcaption>
        )}
      </figure>
      {state === "there" ? (
        <ChartReader
          drawing={drawing}
          at={at}
          onRead={(time) => {
            setAt(time)
            drawn.current?.point(time)
          }}
        />
      ) : null}
    </>
  )
}
