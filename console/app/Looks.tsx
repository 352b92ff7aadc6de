import * as Language from "../lib/Language.ts"
import { chooseLanguage } from "../lib/Me.ts"
import * as Theme from "../lib/Theme.ts"

const t = Language.words({
  en: { language: "Language", theme: "Colours", system: "as the system", light: "light", dark: "dark" },
  de: { language: "Sprache", theme: "Farben", system: "wie das System", light: "hell", dark: "dunkel" }
})

/** Choice of language, which a signed-in user's account keeps, and of the colour theme, which this browser keeps. */
export const Looks = () => (
  <div class="looks">
    <label>
      <span class="sr">{t().language}</span>
      <select
        name="language"
        value={Language.chosen.value}
        onChange={(event) => chooseLanguage(event.currentTarget.value)}
      >
        {Language.offered.value.map(({ code, label }) => (
          <option key={code} value={code} lang={code}>
            {label}
          </option>
        ))}
      </select>
    </label>
    <label>
      <span class="sr">{t().theme}</span>
      <select
        name="theme"
        value={Theme.theme.value}
        onChange={(event) => Theme.choose(event.currentTarget.value as Theme.Theme)}
      >
        {Theme.themes.map((one) => (
          <option key={one} value={one}>
            {t()[one]}
          </option>
        ))}
      </select>
    </label>
  </div>
)
