import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { words } from "../../../lib/Language.ts"
import type { Problem } from "../../../lib/Problem.ts"
import { Refused } from "../Refusals.ts"

const t = words({
  en: {
    title: "Ignore the transaction",
    reason: "Reason",
    hint: "Such as: private, bank fee, paid twice and sent back.",
    send: "Ignore",
    cancel: "Cancel"
  },
  de: {
    title: "Umsatz ignorieren",
    reason: "Grund",
    hint: "Etwa: privat, Bankentgelt, doppelt bezahlt und zurückgeschickt.",
    send: "Ignorieren",
    cancel: "Abbrechen"
  }
})

/** Form for the reason of ignoring a transaction. */
export const IgnoreForm = ({
  busy,
  problem,
  send,
  shut,
  usual
}: {
  /** Initial reason, such as that of a recognised fee. */
  readonly usual: string
  readonly busy: boolean
  readonly problem: Problem | undefined
  readonly send: (reason: string) => void
  readonly shut: () => void
}) => {
  const reason = useSignal(usual)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  return (
    <form
      class="inset stack"
      aria-labelledby="ignore-title"
      onKeyDown={(event) => event.key === "Escape" && shut()}
      onSubmit={(event) => {
        event.preventDefault()
        send(reason.value.trim())
      }}
    >
      <h3 id="ignore-title">{t().title}</h3>
      <label>
        {t().reason}
        <input
          ref={input}
          name="reason"
          required
          maxLength={500}
          pattern=".*\S.*"
          autocomplete="off"
          value={reason.value}
          aria-describedby="ignore-hint"
          onInput={({ currentTarget }) => (reason.value = currentTarget.value)}
        />
        <small id="ignore-hint">{t().hint}</small>
      </label>
      <Refused problem={problem} />
      <div class="page-actions">
        <button type="submit" class="primary" disabled={busy}>
          {t().send}
        </button>
        <button type="button" onClick={shut}>
          {t().cancel}
        </button>
      </div>
    </form>
  )
}
