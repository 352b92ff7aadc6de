import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { Dialog } from "../../../parts/Dialog.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"
import { exemptionSeconds, secondsLeft, secondsOptions } from "../Seconds.ts"
import type { Decision } from "./Words.ts"

const t = words({
  en: {
    title: (address: string) => `Lift the ban of ${address}`,
    all: "This lifts all bans of the address, ours and CrowdSec's.",
    exempt: "Do not ban it again for",
    hint: "Time to correct a wrong password. Until then no failure counts.",
    none: "not at all: the next failures count",
    reason: "Reason (optional)",
    lift: "Lift the ban",
    leave: "Cancel"
  },
  de: {
    title: (address: string) => `Sperre von ${address} aufheben`,
    all: "Das hebt alle Sperren der Adresse auf, unsere und die von CrowdSec.",
    exempt: "Nicht wieder sperren für",
    hint: "Zeit, ein falsches Passwort zu berichtigen. Bis dahin zählt kein Fehlversuch.",
    none: "gar nicht: die nächsten Fehlversuche zählen",
    reason: "Grund (optional)",
    lift: "Sperre aufheben",
    leave: "Abbrechen"
  }
})

const banAgain = async ({ address, reason, until }: Decision, exemption: number | undefined) => {
  // An exempted address cannot be banned.
  if (exemption !== undefined) await call("DELETE /api/v1/security/exemptions/:id", { params: { id: exemption } })
  await call("POST /api/v1/security/decisions", {
    payload: { address, duration_s: secondsLeft(until), reason: reason ?? "–" }
  })
}

/** Asks how long the address stays exempted, and lifts its bans. */
export const LiftDialog = ({
  lifted,
  of,
  shut
}: {
  readonly of: Decision
  /** `again`: bans the address as before; undefined where that is not possible. */
  readonly lifted: (again: (() => Promise<unknown>) | undefined) => void
  readonly shut: () => void
}) => {
  const doing = useDoing()
  const seconds = useSignal(String(exemptionSeconds[0]))
  const reason = useSignal("")
  const submit = (event: Event) => {
    event.preventDefault()
    void doing.run(async () => {
      const { exemption, lifted: count } = await call("DELETE /api/v1/security/decisions/:id", {
        params: { id: of.id },
        query: { exempt_s: seconds.value, reason: reason.value.trim() }
      })
      // Several bans, those of CrowdSec and an earlier exemption cannot be restored as they were.
      const whole = count === 1 && of.source === "own" && of.exempted_until === null
      lifted(whole ? () => banAgain(of, exemption?.id) : undefined)
    })
  }
  return (
    <Dialog title={t().title(of.address)} close={shut}>
      <form class="stack" onSubmit={submit}>
        <p class="soft">{t().all}</p>
        <label>
          {t().exempt}
          <select value={seconds.value} onChange={({ currentTarget }) => (seconds.value = currentTarget.value)}>
            {secondsOptions(exemptionSeconds).map(([value, text]) => (
              <option key={value} value={value}>
                {text()}
              </option>
            ))}
            <option value="0">{t().none}</option>
          </select>
          <small>{t().hint}</small>
        </label>
        <label>
          {t().reason}
          <input
            name="reason"
            maxLength={500}
            value={reason.value}
            autocomplete="off"
            onInput={({ currentTarget }) => (reason.value = currentTarget.value)}
          />
        </label>
        <Refused problem={doing.problem.value} />
        <div class="dialog-actions">
          <button type="submit" class="primary" disabled={doing.busy.value}>
            {t().lift}
          </button>
          <button type="button" onClick={shut}>
            {t().leave}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
