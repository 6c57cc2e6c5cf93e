// The page's icons, drawn on a grid of 20 in the text's colour.
import type { PageName } from "../routes.ts"

const PATHS = {
  overview: "M3 11h5V3H3zM12 17h5V9h-5zM3 17h5v-3H3zM12 6h5V3h-5z",
  signals:
    "M10 11.5v5.5M10 11.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM6.5 13.5a5 5 0 0 1 0-7M13.5 13.5a5 5 0 0 0 0-7M4 16a8.5 8.5 0 0 1 0-12M16 16a8.5 8.5 0 0 0 0-12",
  strategies: "M3 5h8M15 5h2M3 10h2M9 10h8M3 15h7M14 15h3M13 3.5v3M7 8.5v3M12 13.5v3",
  strategy: "M3 15l5-6 4 3 5-8",
  discover: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM13 7l-1.700 4.300L7 13l1.700-4.300z",
  trades: "M6 3.500v2M4 5.500h4v6H4zM6 11.500v5M14 3.500v4M12 7.500h4v6h-4zM14 13.500v3",
  alerts: "M5 8a5 5 0 0 1 10 0c0 4.500 2 5.500 2 5.500H3S5 12.500 5 8zM8.500 16.500a1.700 1.700 0 0 0 3 0",
  backtest: "M3.500 10a6.500 6.500 0 1 0 2-4.700M3 3v4h4M10 6.500V10l2.500 2",
  settings:
    "M10 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM10 2.500v2M10 15.500v2M2.500 10h2M15.500 10h2M4.700 4.700l1.400 1.400M13.900 13.900l1.400 1.400M4.700 15.300l1.400-1.400M13.900 6.100l1.400-1.400",
  sun: "M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 2.500v1.500M10 16v1.500M2.500 10H4M16 10h1.500M4.700 4.700l1 1M14.300 14.300l1 1M4.700 15.300l1-1M14.300 5.700l1-1",
  moon: "M16.500 11.500A6.500 6.500 0 0 1 8.500 3.500a6.500 6.500 0 1 0 8 8z",
  guide:
    "M10 5.500C8 4 5.500 3.500 3 4v11.500c2.500-.500 5 0 7 1.500 2-1.500 4.500-2 7-1.500V4c-2.500-.500-5 0-7 1.500zM10 5.500V17",
  system: "M3 4h14v9H3zM7.500 16.500h5M10 13v3.500"
} as const satisfies Record<PageName | "sun" | "moon" | "system" | "guide", string>

/** An icon beside a word. It is hidden from screen readers, because the word says it. */
export const Icon = ({ name }: { name: keyof typeof PATHS }) => (
  <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
)
