import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { brand } from "../lib/Brand.ts"
import { words } from "../lib/Language.ts"
import { useLoad } from "../lib/Load.ts"
import { Problem } from "../lib/Problem.ts"
import { call } from "../lib/Call.ts"
import { linkRefused, signIn } from "../lib/Session.ts"
import { Looks } from "./Looks.tsx"

const t = words({
  en: {
    title: "Sign in",
    email: "E-mail address",
    password: "Password",
    code: "Code of the second factor",
    codeHint: "From your authenticator app or the messenger; a recovery code will do, too.",
    submit: "Sign in",
    with: (name: string) => `Sign in with ${name}`,
    or: "or",
    wrong: "Address, password or code is wrong.",
    many: "Too many tries. Wait a little and try again.",
    link: "This link was used or replaced, or has expired. Sign in below, or ask for a new link.",
    away: "The server does not answer.",
    other: (text: string) => `That did not work: ${text}`
  },
  de: {
    title: "Anmelden",
    email: "E-Mail-Adresse",
    password: "Passwort",
    code: "Code des zweiten Faktors",
    codeHint: "Aus der Authenticator-App oder dem Messenger; ein Wiederherstellungscode geht auch.",
    submit: "Anmelden",
    with: (name: string) => `Mit ${name} anmelden`,
    or: "oder",
    wrong: "Adresse, Passwort oder Code stimmt nicht.",
    many: "Zu viele Versuche. Bitte etwas warten.",
    link:
      "Dieser Link wurde benutzt oder ersetzt oder ist abgelaufen. " +
      "Melden Sie sich unten an, oder bitten Sie um einen neuen Link.",
    away: "Der Server antwortet nicht.",
    other: (text: string) => `Das ging nicht: ${text}`
  }
})

/** Sign-in page: with a password and, where set up, a second factor; or with an external provider. */
export const SignIn = () => {
  const email = useSignal("")
  const password = useSignal("")
  const code = useSignal("")
  const asksCode = useSignal(false)
  const busy = useSignal(false)
  const failed = useSignal<Problem | undefined>(undefined)
  const codeField = useRef<HTMLInputElement>(null)
  const providers = useLoad(() => call("GET /api/v1/auth/providers"))
  useEffect(() => {
    document.title = `${t().title} · ${brand.value.name}`
  })
  useLayoutEffect(() => {
    if (asksCode.value) codeField.current?.focus()
  }, [asksCode.value])

  const submit = async (event: Event) => {
    event.preventDefault()
    busy.value = true
    failed.value = undefined
    try {
      await signIn(email.value, password.value, asksCode.value ? code.value.trim() : undefined)
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem(0, "failed", String(error))
      if (problem.code === "second_factor_required") asksCode.value = true
      else failed.value = problem
    } finally {
      busy.value = false
    }
  }

  return (
    <main class="sign-in">
      <h1>
        <img src={brand.value.logo ?? "/console/icon.svg"} alt="" width={32} height={32} />
        {brand.value.name}
      </h1>
      <h2>{t().title}</h2>
      <div role="status" class={linkRefused.value ? "trouble" : ""}>
        {linkRefused.value ? t().link : ""}
      </div>
      <form onSubmit={submit}>
        <label>
          {t().email}
          <input
            type="email"
            name="email"
            autocomplete="username"
            required
            value={email.value}
            onInput={(event) => (email.value = event.currentTarget.value)}
          />
        </label>
        <label>
          {t().password}
          <input
            type="password"
            name="password"
            autocomplete="current-password"
            required
            value={password.value}
            onInput={(event) => (password.value = event.currentTarget.value)}
          />
        </label>
        {asksCode.value ? (
          <label>
            {t().code}
            <input
              ref={codeField}
              name="code"
              autocomplete="one-time-code"
              required
              aria-describedby="code-hint"
              value={code.value}
              onInput={(event) => (code.value = event.currentTarget.value)}
            />
            <small id="code-hint">{t().codeHint}</small>
          </label>
        ) : null}
        <div role="alert" class={failed.value === undefined ? "" : "trouble"}>
          {failed.value === undefined ? "" : told(failed.value)}
        </div>
        <button type="submit" class="primary" disabled={busy.value}>
          {t().submit}
        </button>
      </form>
      {(providers.value.value?.items ?? [])
        .filter(({ available }) => available)
        .map(({ id, start_url, title }) => (
          <p key={id}>
            <a class="button" href={start_url}>
              {t().with(title)}
            </a>
          </p>
        ))}
      <Looks />
    </main>
  )
}

const told = (problem: Problem): string =>
  problem.status === 0
    ? t().away
    : problem.status === 401 || problem.status === 422
      ? t().wrong
      : problem.status === 429
        ? t().many
        : t().other(problem.message)
