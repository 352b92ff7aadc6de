import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { TimeZonePicker } from "../../parts/TimeZonePicker.tsx"
import { Outcome } from "./Outcome.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { undoable } from "../../lib/Undo.ts"

type Settings = Answer<"GET /api/v1/notifications/settings">

/** Initial quiet hours when the user turns them on. */
const usualQuiet: NonNullable<Settings["quiet"]> = {
  from: "22:00",
  to: "06:00",
  days: [1, 2, 3, 4, 5, 6, 7],
  errors_pass: true
}

const t = words({
  en: {
    title: "When notifications come",
    quiet: "Quiet hours",
    from: "From",
    to: "To",
    digest: "Mails",
    off: "One by one",
    hourly: "All of an hour in one",
    daily: "All of a day in one",
    at: "Time of the daily mail",
    zone: "Time zone",
    pass: "Errors come all the same",
    save: "Save the times",
    saved: "Saved.",
    changed: "The times are changed."
  },
  de: {
    title: "Wann Mitteilungen kommen",
    quiet: "Ruhezeit",
    from: "Von",
    to: "Bis",
    digest: "E-Mails",
    off: "Einzeln",
    hourly: "Stündlich gesammelt",
    daily: "Täglich gesammelt",
    at: "Uhrzeit der täglichen E-Mail",
    zone: "Zeitzone",
    pass: "Fehler kommen trotzdem",
    save: "Zeiten speichern",
    saved: "Gespeichert.",
    changed: "Die Zeiten sind geändert."
  }
})

const put = (payload: Settings) => call("PUT /api/v1/notifications/settings", { payload })

/** Settings for quiet hours, and for single or combined mails. */
export const Quiet = () => {
  const held = useLoad(() => call("GET /api/v1/notifications/settings"))
  const wished = useSignal<Settings | undefined>(undefined)
  const doing = useDoing()
  const loaded = held.value.value
  useEffect(() => {
    wished.value = loaded
  }, [loaded])
  const set = (change: Partial<Settings>) => {
    doing.done.value = false
    if (wished.value !== undefined) wished.value = { ...wished.value, ...change }
  }
  const save = (event: Event) => {
    event.preventDefault()
    const payload = wished.value
    if (payload === undefined || loaded === undefined) return
    void doing
      .run(() =>
        undoable(
          () => put(payload),
          () => t().changed,
          () => put(loaded)
        )
      )
      .then((done) => done && held.reload())
  }
  return (
    <section class="card" aria-labelledby="quiet">
      <h2 id="quiet">{t().title}</h2>
      <Loading of={held}>
        {(value) => {
          const { digest, digest_at, quiet, zone } = wished.value ?? value
          return (
            <form class="stack" onSubmit={save}>
              <label class="check">
                <input
                  type="checkbox"
                  name="quiet"
                  checked={quiet !== null}
                  onChange={(event) => set({ quiet: event.currentTarget.checked ? (value.quiet ?? usualQuiet) : null })}
                />
                {t().quiet}
              </label>
              {quiet === null ? null : (
                <div class="quiet-hours">
                  <label>
                    {t().from}{" "}
                    <input
                      type="time"
                      name="quiet-from"
                      required
                      value={quiet.from}
                      onInput={(event) => set({ quiet: { ...quiet, from: event.currentTarget.value } })}
                    />
                  </label>
                  <label>
                    {t().to}{" "}
                    <input
                      type="time"
                      name="quiet-to"
                      required
                      value={quiet.to}
                      onInput={(event) => set({ quiet: { ...quiet, to: event.currentTarget.value } })}
                    />
                  </label>
                  <label class="check">
                    <input
                      type="checkbox"
                      name="errors-pass"
                      checked={quiet.errors_pass}
                      onChange={(event) => set({ quiet: { ...quiet, errors_pass: event.currentTarget.checked } })}
                    />
                    {t().pass}
                  </label>
                </div>
              )}
              <label>
                {t().digest}
                <select
                  name="digest"
                  value={digest}
                  onChange={(event) => set({ digest: event.currentTarget.value as Settings["digest"] })}
                >
                  {(["off", "hourly", "daily"] as const).map((one) => (
                    <option key={one} value={one}>
                      {t()[one]}
                    </option>
                  ))}
                </select>
              </label>
              {digest === "daily" ? (
                <label>
                  {t().at}{" "}
                  <input
                    type="time"
                    name="digest-at"
                    required
                    value={digest_at}
                    onInput={(event) => set({ digest_at: event.currentTarget.value })}
                  />
                </label>
              ) : null}
              <div class="field">
                <label for="quiet-zone">{t().zone}</label>
                <TimeZonePicker
                  id="quiet-zone"
                  required
                  value={zone === "" ? undefined : zone}
                  pick={(found) => set({ zone: found ?? "" })}
                />
              </div>
              <Outcome of={doing} done={t().saved} />
              <p>
                <button type="submit" class="primary" disabled={doing.busy.value}>
                  {t().save}
                </button>
              </p>
            </form>
          )
        }}
      </Loading>
    </section>
  )
}
