import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { language as pageLanguage, words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"
import type { Training } from "../Shapes.ts"
import { languageWord } from "../Words.ts"

const t = words({
  en: {
    title: "Train a word",
    word: "Word or phrase",
    hint: "Three or four syllables that are rare in talk work best, such as “hey computer”.",
    language: "Language",
    voices: (language: string, count: number) => `${language} (${count} ${count === 1 ? "voice" : "voices"})`,
    size: "Size",
    sizes: { small: "small: a trial, one minute", full: "full: about ten minutes" },
    uploads: "Use the recordings of this word too",
    train: "Train",
    none: "No voice is installed, so nothing can be trained. On the server: apt install espeak-ng"
  },
  de: {
    title: "Ein Wort trainieren",
    word: "Wort oder Wendung",
    hint: "Am besten sind drei oder vier Silben, die in Gesprächen selten sind, etwa „Hey Computer“.",
    language: "Sprache",
    voices: (language: string, count: number) => `${language} (${count} ${count === 1 ? "Stimme" : "Stimmen"})`,
    size: "Umfang",
    sizes: { small: "klein: Versuch, eine Minute", full: "voll: etwa zehn Minuten" },
    uploads: "Auch die Aufnahmen dieses Wortes verwenden",
    train: "Trainieren",
    none: "Keine Stimme ist installiert, deshalb geht kein Training. Auf dem Server: apt install espeak-ng"
  }
})

const sizes = ["full", "small"] as const satisfies ReadonlyArray<Training["size"]>

/** Longest word. Unit: UTF-16 units. Source: wake-word, vocabulary. */
const maxWord = 60

/** Form that starts a training. */
export const TrainForm = ({ begun }: { readonly begun: () => void }) => {
  const languages = useLoad(() => call("GET /api/v1/wakeword/languages"))
  return (
    <section class="card" aria-labelledby="train">
      <h2 id="train">{t().title}</h2>
      <Loading of={languages}>
        {(spoken) => (spoken.length === 0 ? <p class="empty">{t().none}</p> : <Form spoken={spoken} begun={begun} />)}
      </Loading>
    </section>
  )
}

const Form = ({
  begun,
  spoken
}: {
  readonly spoken: ReadonlyArray<{ readonly language: string; readonly voices: number }>
  readonly begun: () => void
}) => {
  const word = useSignal("")
  const chosen = useSignal(
    spoken.some(({ language }) => language === pageLanguage.peek()) ? pageLanguage.peek() : spoken[0]!.language
  )
  const size = useSignal<Training["size"]>("full")
  const uploads = useSignal(true)
  const doing = useDoing()
  const submit = (event: Event) => {
    event.preventDefault()
    const payload = {
      word: word.value.trim().replace(/\s+/g, " "),
      language: chosen.value,
      size: size.value,
      use_uploads: uploads.value
    }
    void doing
      .run(() => call("POST /api/v1/wakeword/train", { payload }))
      .then((done) => {
        if (!done) return
        word.value = ""
        begun()
      })
  }
  return (
    <form class="wake-form" aria-labelledby="train" onSubmit={submit}>
      <label class="wake-word">
        {t().word}
        <input
          name="word"
          required
          maxLength={maxWord}
          autocomplete="off"
          aria-describedby="train-hint"
          value={word.value}
          onInput={({ currentTarget }) => (word.value = currentTarget.value)}
        />
      </label>
      <label>
        {t().language}
        <select value={chosen.value} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
          {spoken.map(({ language, voices }) => (
            <option key={language} value={language}>
              {t().voices(languageWord(language), voices)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t().size}
        <select
          value={size.value}
          onChange={({ currentTarget }) => (size.value = currentTarget.value as Training["size"])}
        >
          {sizes.map((one) => (
            <option key={one} value={one}>
              {t().sizes[one]}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={uploads.value}
          onChange={({ currentTarget }) => (uploads.value = currentTarget.checked)}
        />
        {t().uploads}
      </label>
      <button type="submit" class="primary" disabled={doing.busy.value}>
        {t().train}
      </button>
      <p id="train-hint" class="soft">
        {t().hint}
      </p>
      <Refused problem={doing.problem.value} />
    </form>
  )
}
