import * as Language from "../lib/Language.ts"
import * as Theme from "../lib/Theme.ts"

const t = Language.words({
  en: { language: "Language", theme: "Colours", system: "as the system", light: "light", dark: "dark" },
  de: { language: "Sprache", theme: "Farben", system: "wie das System", light: "hell", dark: "dunkel" }
})

const names: Readonly<Record<Language.Language, string>> = { de: "Deutsch", en: "English" }

/** Choice of language and colour theme; the choices stay in this browser. */
export const Looks = () => (
  <div class="looks">
    <label>
      <span class="sr">{t().language}</span>
      <select
        name="language"
        value={Language.language.value}
        onChange={(event) => Language.choose(event.currentTarget.value as Language.Language)}
      >
        {Language.languages.map((one) => (
          <option key={one} value={one} lang={one}>
            {names[one]}
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
