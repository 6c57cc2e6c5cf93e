// The button that goes through the colour themes.
import { Icon } from "../layout/icons.tsx"
import { useStore } from "../store.ts"
import { choose, nextTheme, theme } from "../theme.ts"

const ICONS = { system: "system", light: "sun", dark: "moon" } as const

export const ThemeButton = () => {
  const shown = useStore(theme)
  return (
    <button
      type="button"
      class="button small ghost icon-button"
      aria-label={`Colours: ${shown}. Change to ${nextTheme()}`}
      title={`Colours: ${shown}`}
      onClick={() => choose(nextTheme())}
    >
      <Icon name={ICONS[shown]} />
    </button>
  )
}
