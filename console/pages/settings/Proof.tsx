import { useSignal } from "@preact/signals"
import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { words } from "../../lib/Language.ts"
import { Outcome } from "./Outcome.tsx"
import { useDoing } from "../../lib/Doing.ts"

const t = words({
  en: { password: "Your password", go: "Go on", leave: "Cancel" },
  de: { password: "Ihr Passwort", go: "Weiter", leave: "Abbrechen" }
})

/** Asks for the password before a critical action; accounts without a password leave it empty. */
export const Proof = ({
  leave,
  title,
  work
}: {
  readonly title: string
  readonly leave: () => void
  readonly work: (payload: { readonly password?: string }) => Promise<void>
}) => {
  const password = useSignal("")
  const field = useFirstFocus<HTMLInputElement>()
  const doing = useDoing()
  const submit = (event: Event) => {
    event.preventDefault()
    void doing.run(() => work(password.value === "" ? {} : { password: password.value }))
  }
  return (
    <form class="stack inset" onSubmit={submit} aria-label={title}>
      <strong>{title}</strong>
      <label>
        {t().password}
        <input
          ref={field}
          type="password"
          name="proof"
          autocomplete="current-password"
          value={password.value}
          onInput={(event) => (password.value = event.currentTarget.value)}
        />
      </label>
      <Outcome of={doing} />
      <p class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {t().go}
        </button>
        <button type="button" onClick={leave}>
          {t().leave}
        </button>
      </p>
    </form>
  )
}
