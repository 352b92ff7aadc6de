import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { Dialog } from "../../../parts/Dialog.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"
import { secondsOptions, silenceSeconds } from "../Seconds.ts"
import type { Silence } from "./Words.ts"

const t = words({
  en: {
    title: "Silence alerts",
    change: "Change the silence",
    save: "Save",
    fromNow: "Duration from now",
    intro:
      "Matching alerts are recorded, but nobody is notified. Problems that are still open at the end are reported then.",
    key: "Alert",
    group: "Cause",
    pattern: "* stands for any text. Empty: any.",
    duration: "Duration",
    reason: "Reason",
    silence: "Silence",
    leave: "Cancel"
  },
  de: {
    title: "Meldungen stumm schalten",
    change: "Stummschaltung ändern",
    save: "Speichern",
    fromNow: "Dauer ab jetzt",
    intro:
      "Passende Meldungen werden gespeichert, aber niemand wird benachrichtigt. Was am Ende noch gestört ist, wird dann gemeldet.",
    key: "Meldung",
    group: "Ursache",
    pattern: "* steht für beliebigen Text. Leer: jede.",
    duration: "Dauer",
    reason: "Grund",
    silence: "Stumm schalten",
    leave: "Abbrechen"
  }
})

const textOrNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

/** Patterns of a silence: of the alert's key, or of its cause. */
export interface Wanted {
  readonly key_pattern?: string
  readonly group_pattern?: string
}

/** Silences alerts that match, for a time and with a reason. `of`: changes this silence instead. */
export const SilenceDialog = ({
  done,
  of,
  shut,
  wanted
}: {
  readonly wanted: Wanted
  readonly of?: Silence
  readonly done: () => void
  readonly shut: () => void
}) => {
  const doing = useDoing()
  const key = useSignal(of?.key_pattern ?? wanted.key_pattern ?? "")
  const group = useSignal(of?.group_pattern ?? wanted.group_pattern ?? "")
  const seconds = useSignal(String(silenceSeconds[0]))
  const reason = useSignal(of?.reason ?? "")
  const submit = (event: Event) => {
    event.preventDefault()
    const pattern = (name: keyof Wanted, text: string) => (text.trim() === "" ? {} : { [name]: text.trim() })
    const ends = {
      reason: reason.value.trim(),
      ends_at: new Date(Date.now() + Number(seconds.value) * 1000).toISOString()
    }
    void doing
      .run(() =>
        of === undefined
          ? call("POST /api/v1/monitoring/silences", {
              payload: { ...pattern("key_pattern", key.value), ...pattern("group_pattern", group.value), ...ends }
            })
          : call("PUT /api/v1/monitoring/silences/:id", {
              params: { id: of.id },
              payload: { key_pattern: textOrNull(key.value), group_pattern: textOrNull(group.value), ...ends }
            })
      )
      .then((well) => well && done())
  }
  return (
    <Dialog title={of === undefined ? t().title : t().change} close={shut}>
      <form class="stack" onSubmit={submit}>
        <p class="soft">{t().intro}</p>
        <label>
          {t().key}
          <input
            name="key_pattern"
            maxLength={200}
            value={key.value}
            required={group.value.trim() === ""}
            autocomplete="off"
            onInput={({ currentTarget }) => (key.value = currentTarget.value)}
          />
        </label>
        <label>
          {t().group}
          <input
            name="group_pattern"
            maxLength={200}
            value={group.value}
            autocomplete="off"
            onInput={({ currentTarget }) => (group.value = currentTarget.value)}
          />
          <small>{t().pattern}</small>
        </label>
        <label>
          {of === undefined ? t().duration : t().fromNow}
          <select
            name="duration"
            value={seconds.value}
            onChange={({ currentTarget }) => (seconds.value = currentTarget.value)}
          >
            {secondsOptions(silenceSeconds).map(([value, text]) => (
              <option key={value} value={value}>
                {text()}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t().reason}
          <input
            name="reason"
            required
            maxLength={500}
            value={reason.value}
            autocomplete="off"
            onInput={({ currentTarget }) => (reason.value = currentTarget.value)}
          />
        </label>
        <Refused problem={doing.problem.value} />
        <div class="dialog-actions">
          <button type="submit" class="primary" disabled={doing.busy.value}>
            {of === undefined ? t().silence : t().save}
          </button>
          <button type="button" onClick={shut}>
            {t().leave}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
