import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { me, reload } from "../../lib/Me.ts"
import { take } from "../../lib/Session.ts"
import { Outcome } from "./Outcome.tsx"
import { useDoing } from "../../lib/Doing.ts"

/** Shortest password. Unit: characters. Source: identity, the rules for passwords. */
const shortest = 10

const t = words({
  en: {
    title: "Password",
    current: "Current password",
    fresh: "New password",
    hint: "At least 10 characters; a sentence is easy to keep.",
    again: "New password, once more",
    differ: "The two are not the same.",
    submit: "Change password",
    done: "Changed. All other sign-ins have ended.",
    first: "Set password"
  },
  de: {
    title: "Passwort",
    current: "Aktuelles Passwort",
    fresh: "Neues Passwort",
    hint: "Mindestens 10 Zeichen; ein Satz merkt sich leicht.",
    again: "Neues Passwort wiederholen",
    differ: "Die beiden Passwörter stimmen nicht überein.",
    submit: "Passwort ändern",
    done: "Geändert. Alle anderen Anmeldungen sind beendet.",
    first: "Passwort festlegen"
  }
})

/** Changes the password. This page stays signed in with the new tokens from the answer. */
export const Password = ({ changed }: { readonly changed: () => void }) => {
  const current = useSignal("")
  const fresh = useSignal("")
  const again = useSignal("")
  const doing = useDoing()
  const differ = again.value !== "" && again.value !== fresh.value
  const submit = async (event: Event) => {
    event.preventDefault()
    if (again.value !== fresh.value) return
    const well = await doing.run(async () =>
      take(
        await call("POST /api/v1/auth/password", {
          payload: {
            ...(current.value === "" ? {} : { current_password: current.value }),
            new_password: fresh.value,
            cookie: true
          }
        })
      )
    )
    if (!well) return
    for (const field of [current, fresh, again]) field.value = ""
    reload()
    changed()
  }
  return (
    <section class="card" aria-labelledby="password">
      <h2 id="password">{t().title}</h2>
      <form class="stack" onSubmit={submit}>
        <input type="hidden" name="username" autocomplete="username" value={me.value?.email} />
        {me.value?.has_password === false ? null : (
          <label>
            {t().current}
            <input
              type="password"
              name="current"
              autocomplete="current-password"
              value={current.value}
              onInput={(event) => (current.value = event.currentTarget.value)}
            />
          </label>
        )}
        <label>
          {t().fresh}
          <input
            type="password"
            name="fresh"
            autocomplete="new-password"
            required
            minLength={shortest}
            aria-describedby="password-hint"
            value={fresh.value}
            onInput={(event) => (fresh.value = event.currentTarget.value)}
          />
          <small id="password-hint">{t().hint}</small>
        </label>
        <label>
          {t().again}
          <input
            type="password"
            name="again"
            autocomplete="new-password"
            required
            aria-invalid={differ}
            aria-describedby="password-differ"
            value={again.value}
            onInput={(event) => (again.value = event.currentTarget.value)}
          />
          <span id="password-differ" class="field-error">
            {differ ? t().differ : ""}
          </span>
        </label>
        <Outcome of={doing} done={t().done} />
        <p>
          <button type="submit" class="primary" disabled={doing.busy.value || differ}>
            {me.value?.has_password === false ? t().first : t().submit}
          </button>
        </p>
      </form>
    </section>
  )
}
