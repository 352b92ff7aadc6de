import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { Dialog } from "../../../parts/Dialog.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"

const t = words({
  en: {
    title: (name: string) => `Restart ${name}?`,
    intro: "Those who use it are interrupted for a moment. The restart is recorded.",
    reason: "Reason (optional)",
    restart: "Restart",
    leave: "Cancel"
  },
  de: {
    title: (name: string) => `${name} neu starten?`,
    intro: "Wer den Dienst nutzt, wird kurz unterbrochen. Der Neustart wird festgehalten.",
    reason: "Grund (optional)",
    restart: "Neu starten",
    leave: "Abbrechen"
  }
})

/** Confirmation of a restart, with a reason for the record. */
export const RestartDialog = ({
  name,
  requested,
  shut
}: {
  readonly name: string
  readonly requested: () => void
  readonly shut: () => void
}) => {
  const doing = useDoing()
  const reason = useSignal("")
  const submit = (event: Event) => {
    event.preventDefault()
    const given = reason.value.trim()
    void doing
      .run(() =>
        call("POST /api/v1/system/services/:name/restart", {
          params: { name },
          payload: given === "" ? {} : { reason: given }
        })
      )
      .then((done) => done && requested())
  }
  return (
    <Dialog title={t().title(name)} close={shut}>
      <form class="stack" onSubmit={submit}>
        <p class="soft">{t().intro}</p>
        <label>
          {t().reason}
          <input
            name="reason"
            maxLength={200}
            value={reason.value}
            autocomplete="off"
            onInput={({ currentTarget }) => (reason.value = currentTarget.value)}
          />
        </label>
        <Refused problem={doing.problem.value} />
        <div class="dialog-actions">
          <button type="submit" class="primary" disabled={doing.busy.value}>
            {t().restart}
          </button>
          <button type="button" onClick={shut}>
            {t().leave}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
