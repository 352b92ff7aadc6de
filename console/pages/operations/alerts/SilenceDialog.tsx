import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { Dialog } from "../../../parts/Dialog.tsx"
import { useDoing } from "../../mail/Doing.ts"
import { Refused } from "../Refused.tsx"
import { secondsOptions, silenceSeconds } from "../Seconds.ts"

const t = words({
  en: {
    title: "Silence alerts",
    intro: "Matching alerts are recorded, but nobody is told. What is still wrong at the end is told then.",
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
    intro:
      "Passende Meldungen werden festgehalten, aber niemandem gesagt. Was am Ende noch gestört ist, wird dann gemeldet.",
    key: "Meldung",
    group: "Ursache",
    pattern: "* steht für beliebigen Text. Leer: jede.",
    duration: "Dauer",
    reason: "Grund",
    silence: "Stumm schalten",
    leave: "Abbrechen"
  }
})

/** Patterns of a silence: of the alert's key, or of its cause. */
export interface Wanted {
  readonly key_pattern?: string
  readonly group_pattern?: string
}

/** Silences alerts that match, for a time and with a reason. */
export const SilenceDialog = ({
  done,
  shut,
  wanted
}: {
  readonly wanted: Wanted
  readonly done: () => void
  readonly shut: () => void
}) => {
  const doing = useDoing()
  const key = useSignal(wanted.key_pattern ?? "")
  const group = useSignal(wanted.group_pattern ?? "")
  const seconds = useSignal(String(silenceSeconds[0]))
  const reason = useSignal("")
  const submit = (event: Event) => {
    event.preventDefault()
    const pattern = (name: keyof Wanted, text: string) => (text.trim() === "" ? {} : { [name]: text.trim() })
    void doing
      .run(() =>
        call("POST /api/v1/monitoring/silences", {
          payload: {
            ...pattern("key_pattern", key.value),
            ...pattern("group_pattern", group.value),
            reason: reason.value.trim(),
            ends_at: new Date(Date.now() + Number(seconds.value) * 1000).toISOString()
          }
        })
      )
      .then((well) => well && done())
  }
  return (
    <Dialog title={t().title} close={shut}>
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
          {t().duration}
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
            {t().silence}
          </button>
          <button type="button" onClick={shut}>
            {t().leave}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
