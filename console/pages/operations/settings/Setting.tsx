import type { Signal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { textIn, words } from "../../../lib/Language.ts"
import { Trouble } from "../../../parts/Trouble.tsx"
import { Field } from "./Field.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { offerUndo } from "../../../lib/Undo.ts"
import { undoWords } from "../../../lib/UndoWords.ts"
import { authorTitle } from "../../../parts/Author.ts"
import { At } from "../../../parts/When.tsx"

const t = words({
  en: {
    save: "Save",
    reset: "Remove",
    saved: "Saved.",
    wrong: "This is not a valid value.",
    locked: (name: string) => `Locked: the environment sets ${name}.`,
    secretSet: "A secret is stored. Type a new one to replace it.",
    broken: "The stored value has no effect:",
    changed: (who: string) => `Changed by ${who}`,
    standard: "Default:"
  },
  de: {
    save: "Speichern",
    reset: "Entfernen",
    saved: "Gespeichert.",
    wrong: "Das ist kein gültiger Wert.",
    locked: (name: string) => `Gesperrt: Die Umgebung gibt ${name} vor.`,
    secretSet: "Ein Geheimnis ist gespeichert. Ein neues ersetzt es.",
    broken: "Der gespeicherte Wert wirkt nicht:",
    changed: (who: string) => `Geändert von ${who}`,
    standard: "Standard:"
  }
})

type Item = Answer<"GET /api/v1/settings/platform">["items"][number]

/** Defaults that stand for no value. Source: core/config/Settings.ts. */
const nothing = new Set(["unset", "empty", "none", ""])

/** One setting with its form. A setting that the environment sets is shown without one. */
export const Setting = ({
  changed,
  setting,
  typed
}: {
  readonly setting: Item
  /** Text of the field. */
  readonly typed: Signal<string>
  readonly changed: () => void
}) => {
  const doing = useDoing()
  const id = setting.name.toLowerCase()
  const put = (value: string | null) =>
    call("PUT /api/v1/settings/platform/:name", { params: { name: setting.name }, payload: { value } })
  const store = async (value: string | null) => {
    const before = setting.source === "database" ? setting.value : null
    if (!(await doing.run(() => put(value)))) return
    // A former secret is not known, and a broken value would be refused.
    if (!setting.secret && setting.problem === null)
      offerUndo({
        done: () => undoWords().changed(textIn(setting.title)),
        undo: async () => {
          await put(before)
          typed.value = before ?? ""
        }
      })
    if (value === null || setting.secret) typed.value = ""
    changed()
  }
  // Only a field that was changed asks for its button.
  const isChanged = typed.value !== (setting.secret ? "" : (setting.value ?? ""))
  const isWrong = doing.problem.value?.code === "invalid_request"
  const field = {
    id,
    autocomplete: "off",
    spellcheck: false,
    required: true,
    disabled: setting.locked,
    "aria-invalid": isWrong,
    "aria-describedby": `${id}-help`,
    value: typed.value,
    onInput: (event: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      void (typed.value = event.currentTarget.value)
  } as const
  return (
    <form
      class="stack setting-form"
      onSubmit={(event) => {
        event.preventDefault()
        void store(typed.value)
      }}
    >
      <label>
        {textIn(setting.title)}
        <Field input={setting.input} secret={setting.secret} field={field} typed={typed} />
        <small id={`${id}-help`}>
          {textIn(setting.help)}
          {nothing.has(setting.default ?? "") ? "" : ` ${t().standard} ${setting.default}`}
        </small>
      </label>
      {setting.locked ? <p class="soft">{t().locked(setting.name)}</p> : null}
      {setting.secret && setting.source === "database" ? <p class="soft">{t().secretSet}</p> : null}
      {setting.problem === null ? null : (
        <p class="trouble">
          {t().broken} <span lang="en">{setting.problem}</span>
        </p>
      )}
      {setting.changed_at === null ? null : (
        <p class="soft">
          {t().changed(authorTitle(setting.changed_by ?? ""))},{" "}
          <time dateTime={setting.changed_at}>
            <At at={setting.changed_at} />
          </time>
        </p>
      )}
      {isWrong ? (
        <p class="trouble" role="alert">
          {t().wrong} {textIn(setting.help)}
        </p>
      ) : (
        <Trouble problem={doing.problem.value} />
      )}
      <p role="status" class={doing.done.value ? "done" : "sr"}>
        {doing.done.value ? t().saved : ""}
      </p>
      {setting.locked ? null : (
        <p class="choices">
          <button type="submit" class={isChanged ? "primary" : ""} disabled={doing.busy.value}>
            {t().save}
          </button>
          {setting.source === "database" ? (
            <button type="button" disabled={doing.busy.value} onClick={() => void store(null)}>
              {t().reset}
            </button>
          ) : null}
        </p>
      )}
    </form>
  )
}
