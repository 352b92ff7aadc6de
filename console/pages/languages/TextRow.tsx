import { useSignal } from "@preact/signals"
import { useEffect, useId } from "preact/hooks"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useDoing } from "../../lib/Doing.ts"
import { undoable } from "../../lib/Undo.ts"
import { undoWords } from "../../lib/UndoWords.ts"
import { History } from "./History.tsx"
import { MarkedText } from "./MarkedText.tsx"
import { namesOf } from "./Placeholders.ts"
import { Refused } from "./Refusals.ts"
import type { Text } from "./Shapes.ts"
import { StateBadge } from "./StateBadge.tsx"

const t = words({
  en: {
    english: "English",
    text: (key: string) => `Text of ${key}`,
    save: "Save",
    saved: "Saved.",
    reset: "Remove the change",
    history: "History",
    lacks: (names: string) => `Missing: ${names}`,
    foreign: (names: string) => `Not in the English text: ${names}`
  },
  de: {
    english: "Englisch",
    text: (key: string) => `Text zu ${key}`,
    save: "Speichern",
    saved: "Gespeichert.",
    reset: "Änderung zurücknehmen",
    history: "Verlauf",
    lacks: (names: string) => `Fehlt: ${names}`,
    foreign: (names: string) => `Nicht im englischen Text: ${names}`
  }
})

/** Longest text. Unit: UTF-16 units. Source: localization. */
const longest = 5_000

/** A text beside its English source, with a field for another wording. */
export const TextRow = ({
  locale,
  saved,
  text
}: {
  readonly locale: string
  readonly text: Text
  readonly saved: () => void
}) => {
  const id = useId()
  const value = useSignal(text.value ?? "")
  const open = useSignal(false)
  const doing = useDoing()
  useEffect(() => {
    value.value = text.value ?? ""
  }, [text.value])
  const params = { locale, key: text.key }
  /** Stores a wording; undefined removes it. */
  const store = (wording: string | undefined): Promise<unknown> =>
    wording === undefined
      ? call("DELETE /api/v1/i18n/admin/translations/:locale/:key", { params })
      : call("PUT /api/v1/i18n/admin/translations/:locale/:key", { params, payload: { value: wording } })
  const change = async (wording: string | undefined) => {
    const before = text.overridden ? (text.value ?? undefined) : undefined
    const work = () =>
      undoable(
        () => store(wording),
        () => undoWords().changed(text.key),
        () => store(before)
      )
    if (await doing.run(work)) saved()
  }
  const save = (event: Event) => {
    event.preventDefault()
    void change(value.value)
  }
  const [wanted, used] = [namesOf(text.source), namesOf(value.value)]
  const lacking = value.value === "" ? [] : wanted.filter((name) => !used.includes(name))
  const foreign = locale === "en" ? [] : used.filter((name) => !wanted.includes(name))
  return (
    <li>
      <p class="text-head">
        <code>{text.key}</code> <StateBadge of={text.state} />
      </p>
      <form class="side-by-side" aria-label={text.key} onSubmit={save}>
        {locale === "en" ? null : (
          <div>
            <small>{t().english}</small>
            <p>
              <MarkedText of={text.source} lang="en" />
            </p>
          </div>
        )}
        <div>
          <textarea
            aria-label={t().text(text.key)}
            aria-describedby={`${id}-hint`}
            lang={locale}
            rows={Math.min(6, 1 + Math.ceil(Math.max(text.source.length, value.value.length) / 60))}
            maxLength={longest}
            value={value.value}
            onInput={({ currentTarget }) => (value.value = currentTarget.value)}
          />
          <p id={`${id}-hint`} class="hint">
            {value.value === "" ? null : <MarkedText of={value.value} lang={locale} />}
            {lacking.length === 0 || locale === "en" ? null : (
              <span class="field-error">{t().lacks(lacking.join(", "))}</span>
            )}
            {foreign.length === 0 ? null : <span class="field-error">{t().foreign(foreign.join(", "))}</span>}
          </p>
          <Refused problem={doing.problem.value} />
          <p class="text-actions">
            <button class="small" disabled={doing.busy.value || value.value === "" || value.value === text.value}>
              {t().save}
            </button>{" "}
            {text.overridden ? (
              <button type="button" class="small" disabled={doing.busy.value} onClick={() => void change(undefined)}>
                {t().reset}
              </button>
            ) : null}{" "}
            <button
              type="button"
              class="small"
              aria-expanded={open.value}
              aria-label={`${t().history}: ${text.key}`}
              onClick={() => (open.value = !open.value)}
            >
              {t().history}
            </button>{" "}
            <span role="status" class={doing.done.value ? "done" : "sr"}>
              {doing.done.value ? t().saved : ""}
            </span>
          </p>
        </div>
      </form>
      {open.value ? <History locale={locale} of={text.key} turn={text.updated_at} /> : null}
    </li>
  )
}
