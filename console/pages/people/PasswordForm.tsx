import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useDoing } from "../../lib/Doing.ts"
import { errorsOf } from "../telephony/Refusals.ts"
import { Refused } from "./Refusals.ts"
import type { User } from "./Words.ts"

const t = words({
  en: {
    title: "Password",
    about:
      "A sign-in link is better: with it, only the user knows the password. A password that you set here ends all " +
      "sessions of the user and makes unused links invalid.",
    password: "New password",
    set: "Set the password",
    done: "The password is set."
  },
  de: {
    title: "Passwort",
    about:
      "Ein Anmeldelink ist besser: Damit kennt nur die Person selbst ihr Passwort. Ein hier gesetztes Passwort " +
      "beendet alle Anmeldungen der Person und macht unbenutzte Links ungültig.",
    password: "Neues Passwort",
    set: "Passwort setzen",
    done: "Das Passwort ist gesetzt."
  }
})

/** Sets the password of another user. */
export const PasswordForm = ({
  changed,
  tenant,
  user
}: {
  readonly user: User
  readonly tenant: string | undefined
  readonly changed: () => void
}) => {
  const doing = useDoing()
  const password = useSignal("")
  const isDone = useSignal(false)
  const problem = doing.problem.value
  const error = errorsOf(problem).get("password")
  const submit = (event: Event) => {
    event.preventDefault()
    isDone.value = false
    void doing
      .run(() =>
        call("POST /api/v1/users/:id/password", {
          params: { id: user.id },
          query: { tenant_id: tenant },
          payload: { password: password.value }
        })
      )
      .then((done) => {
        if (!done) return
        password.value = ""
        isDone.value = true
        changed()
      })
  }
  return (
    <form class="stack card" aria-labelledby="user-password" onSubmit={submit}>
      <h2 id="user-password">{t().title}</h2>
      <p class="soft">{t().about}</p>
      <label>
        {t().password}
        <input
          type="password"
          name="password"
          required
          autocomplete="new-password"
          value={password.value}
          aria-invalid={error !== undefined}
          aria-describedby="user-password-error"
          onInput={({ currentTarget }) => (password.value = currentTarget.value)}
        />
        <small class="field-error" id="user-password-error">
          {error ?? ""}
        </small>
      </label>
      <Refused problem={problem} shown={["password"]} />
      <div class="page-actions">
        <button type="submit" disabled={doing.busy.value}>
          {t().set}
        </button>
        <span role="status" class="done">
          {isDone.value ? t().done : ""}
        </span>
      </div>
    </form>
  )
}
