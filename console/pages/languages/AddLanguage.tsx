import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useDoing } from "../../lib/Doing.ts"
import { Refused } from "./Refusals.ts"

const t = words({
  en: {
    title: "Add a language",
    code: "Code",
    codeHint: "Language tag such as fr or pt-BR",
    label: "Name in this language",
    add: "Add",
    done: "Added. Its texts are English until they are translated."
  },
  de: {
    title: "Sprache hinzufügen",
    code: "Kürzel",
    codeHint: "Etwa fr oder pt-BR",
    label: "Name in dieser Sprache",
    add: "Hinzufügen",
    done: "Hinzugefügt. Ihre Texte sind englisch, bis sie übersetzt sind."
  }
})

/** Form for a new language. */
export const AddLanguage = ({ added }: { readonly added: () => void }) => {
  const code = useSignal("")
  const label = useSignal("")
  const doing = useDoing()
  const submit = async (event: Event) => {
    event.preventDefault()
    const payload = { code: code.value.trim(), label: label.value.trim() }
    if (!(await doing.run(() => call("POST /api/v1/i18n/admin/languages", { payload })))) return
    code.value = ""
    label.value = ""
    added()
  }
  return (
    <section class="card" aria-labelledby="add-language">
      <h2 id="add-language">{t().title}</h2>
      <form class="stack" aria-labelledby="add-language" onSubmit={(event) => void submit(event)}>
        <label>
          {t().code}
          <input
            name="code"
            required
            maxLength={12}
            autocomplete="off"
            spellcheck={false}
            value={code.value}
            onInput={({ currentTarget }) => (code.value = currentTarget.value)}
          />
          <small>{t().codeHint}</small>
        </label>
        <label>
          {t().label}
          <input
            name="label"
            required
            maxLength={60}
            autocomplete="off"
            value={label.value}
            onInput={({ currentTarget }) => (label.value = currentTarget.value)}
          />
        </label>
        <Refused problem={doing.problem.value} />
        <p role="status" class={doing.done.value ? "done" : "sr"}>
          {doing.done.value ? t().done : ""}
        </p>
        <div>
          <button disabled={doing.busy.value}>{t().add}</button>
        </div>
      </form>
    </section>
  )
}
