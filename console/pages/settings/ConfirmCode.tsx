import { useSignal } from "@preact/signals"
import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { words } from "../../lib/Language.ts"
import { Outcome } from "./Outcome.tsx"
import { useDoing } from "../../lib/Doing.ts"

const t = words({
  en: { code: "Code", confirm: "Confirm", leave: "Cancel" },
  de: { code: "Code", confirm: "Bestätigen", leave: "Abbrechen" }
})

/** Form for a code that proves that the second factor works. */
export const ConfirmCode = ({
  leave,
  title,
  work
}: {
  readonly title: string
  readonly leave: () => void
  readonly work: (code: string) => Promise<void>
}) => {
  const code = useSignal("")
  const field = useFirstFocus<HTMLInputElement>()
  const doing = useDoing()
  const submit = (event: Event) => {
    event.preventDefault()
    void doing.run(() => work(code.value.replace(/\s/g, "")))
  }
  return (
    <form class="stack" onSubmit={submit} aria-label={title}>
      <label>
        {t().code}
        <input
          ref={field}
          name="code"
          inputMode="numeric"
          autocomplete="one-time-code"
          required
          value={code.value}
          onInput={(event) => (code.value = event.currentTarget.value)}
        />
      </label>
      <Outcome of={doing} />
      <p class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {t().confirm}
        </button>
        <button type="button" onClick={leave}>
          {t().leave}
        </button>
      </p>
    </form>
  )
}
