import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { call } from "../../lib/Call.ts"
import type { Payload } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { type Choice, choices } from "../../lib/Told.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Outcome } from "./Outcome.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { offerUndo } from "../../lib/Undo.ts"
import { channels, type Channel, chosen, choose, isPattern, patternsOf } from "./Wishes.ts"

const t = words({
  en: {
    title: "Which notifications you get, and how",
    hint: "The most specific line decides: the type itself, then the longest beginning, then everything.",
    what: "What",
    usual: "default",
    on: "on",
    off: "off",
    app: "App",
    email: "E-mail",
    messenger: "Messenger",
    browser: "Desktop",
    speech: "Spoken",
    save: "Save",
    saved: "Saved.",
    changed: "Your choice of notifications is changed.",
    add: "Add a line",
    pattern: "Type of event, or its beginning such as payment.*",
    of: (channel: string, what: string) => `${channel}: ${what}`,
    "*": "Everything",
    "system.*": "System",
    "alarm.*": "Alarms",
    "payment.*": "Payments",
    "security.*": "Security",
    "mail.*": "Mail",
    "call.incoming": "Incoming calls"
  },
  de: {
    title: "Welche Mitteilungen Sie bekommen, und wie",
    hint: "Die genaueste passende Zeile gilt: zuerst die genaue Art, dann der längste Anfang einer Art, zuletzt „Alles“.",
    what: "Was",
    usual: "Standard",
    on: "an",
    off: "aus",
    app: "App",
    email: "E-Mail",
    messenger: "Messenger",
    browser: "Desktop",
    speech: "Gesprochen",
    save: "Speichern",
    saved: "Gespeichert.",
    changed: "Ihre Auswahl der Mitteilungen ist geändert.",
    add: "Zeile hinzufügen",
    pattern: "Art des Ereignisses oder ihr Anfang wie payment.*",
    of: (channel: string, what: string) => `${channel}: ${what}`,
    "*": "Alles",
    "system.*": "System",
    "alarm.*": "Alarme",
    "payment.*": "Zahlungen",
    "security.*": "Sicherheit",
    "mail.*": "E-Mail",
    "call.incoming": "Eingehende Anrufe"
  }
})

const name = (pattern: string): string => {
  const known = (t() as unknown as Readonly<Record<string, unknown>>)[pattern]
  return typeof known === "string" ? known : pattern
}

/** Table of event patterns and notification channels; without a choice the default applies. */
export const Preferences = () => {
  const held = useLoad(() => call("GET /api/v1/notifications/preferences"))
  const wishes = useSignal<ReadonlyArray<Choice>>([])
  const added = useSignal<ReadonlyArray<string>>([])
  const pattern = useSignal("")
  const doing = useDoing()
  const loaded = held.value.value
  useEffect(() => {
    if (loaded !== undefined)
      wishes.value = loaded.items.map(({ channel, enabled, event_type }) => ({ channel, enabled, event_type }))
  }, [loaded])
  const store = async (wanted: ReadonlyArray<Choice>) => {
    const { items } = await call("PUT /api/v1/notifications/preferences", {
      payload: { items: wanted as Payload<"PUT /api/v1/notifications/preferences">["items"] }
    })
    choices.value = items
  }
  const save = (event: Event) => {
    event.preventDefault()
    const before = loaded?.items.map(({ channel, enabled, event_type }) => ({ channel, enabled, event_type })) ?? []
    void doing.run(async () => {
      await store(wishes.value)
      offerUndo({ done: () => t().changed, undo: () => store(before) })
      held.reload()
    })
  }
  const set = (row: string, channel: Channel, value: string) => {
    doing.done.value = false
    wishes.value = choose(wishes.value, row, channel, value === "" ? undefined : value === "on")
  }
  const wrong = pattern.value !== "" && !isPattern(pattern.value)
  return (
    <section class="card preferences" aria-labelledby="preferences">
      <h2 id="preferences">{t().title}</h2>
      <Loading of={held}>
        {() => (
          <form onSubmit={save}>
            <div class="scroll" tabIndex={0} role="region" aria-labelledby="preferences">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t().what}</th>
                    {channels.map((channel) => (
                      <th key={channel} scope="col" class="choice">
                        {t()[channel]}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {patternsOf(wishes.value, added.value).map((row) => (
                    <tr key={row}>
                      <th scope="row">
                        {name(row)}
                        {name(row) === row || row === "*" ? null : (
                          <>
                            {" "}
                            <code>{row}</code>
                          </>
                        )}
                      </th>
                      {channels.map((channel) => {
                        const value = chosen(wishes.value, row, channel)
                        return (
                          <td key={channel} class="choice">
                            <select
                              class={value === undefined ? "usual" : value ? "on" : "off"}
                              aria-label={t().of(t()[channel], name(row))}
                              value={value === undefined ? "" : value ? "on" : "off"}
                              onChange={(event) => set(row, channel, event.currentTarget.value)}
                            >
                              <option value="">{t().usual}</option>
                              <option value="on">{t().on}</option>
                              <option value="off">{t().off}</option>
                            </select>
                          </td>
                        )
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <p>
              <small>{t().hint}</small>
            </p>
            <div class="filters">
              <label>
                {t().pattern}
                <input
                  name="pattern"
                  maxLength={100}
                  aria-invalid={wrong}
                  value={pattern.value}
                  onInput={(event) => (pattern.value = event.currentTarget.value.trim())}
                />
              </label>
              <button
                type="button"
                disabled={pattern.value === "" || wrong}
                onClick={() => {
                  added.value = [...added.value, pattern.value]
                  pattern.value = ""
                }}
              >
                {t().add}
              </button>
            </div>
            <Outcome of={doing} done={t().saved} />
            <p>
              <button type="submit" class="primary" disabled={doing.busy.value}>
                {t().save}
              </button>
            </p>
          </form>
        )}
      </Loading>
    </section>
  )
}
