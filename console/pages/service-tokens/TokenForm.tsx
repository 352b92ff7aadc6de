import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import type { Answer, Payload } from "../../lib/Endpoints.ts"
import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { words } from "../../lib/Language.ts"
import { me } from "../../lib/Me.ts"
import { useDoing } from "../../lib/Doing.ts"
import { grouped, permissionTitle } from "../people/PermissionWords.ts"
import { Refused } from "../people/Refusals.ts"
import { shared } from "../people/Words.ts"
import { errorsOf } from "../telephony/Refusals.ts"
import { type MachineScope, machineScopes, machineTitle } from "./Scopes.ts"
import "../people/people.css"
import "./service-tokens.css"

export type CreatedToken = Answer<"POST /api/v1/service-tokens">

type Scope = Payload<"POST /api/v1/service-tokens">["scopes"][number]

const t = words({
  en: {
    title: "Create a service token",
    nameHint: "The program that uses it, such as “Backup script on db1”.",
    expiry: "Valid",
    days: (count: number) => `${count} days`,
    year: "1 year",
    forever: "until it is revoked",
    scopes: "What it may do",
    scopesHint: "In all tenants. Choose as little as the program needs.",
    machines: "For our own programs",
    none: "Choose at least one.",
    create: "Create"
  },
  de: {
    title: "Dienst-Token erzeugen",
    nameHint: "Das Programm, das es benutzt, etwa „Backup-Skript auf db1“.",
    expiry: "Gültig",
    days: (count: number) => `${count} Tage`,
    year: "1 Jahr",
    forever: "bis zum Widerruf",
    scopes: "Was es darf",
    scopesHint: "In allen Mandanten. Wählen Sie so wenig, wie das Programm braucht.",
    machines: "Für die eigenen Programme",
    none: "Wählen Sie mindestens eines.",
    create: "Erzeugen"
  }
})

/** Lifetimes in the menu. Unit: days. */
const lifetimes = [30, 90, 365] as const

const daySeconds = 86_400

/** Form for a new service token. It offers only scopes that the caller may grant. */
export const TokenForm = ({
  created,
  shut
}: {
  readonly created: (token: CreatedToken) => void
  readonly shut: () => void
}) => {
  const doing = useDoing()
  const name = useFirstFocus<HTMLInputElement>()
  const lifetime = useSignal("90")
  const chosen = useSignal<ReadonlySet<Scope>>(new Set())
  const isMissing = useSignal(false)
  const problem = doing.problem.value
  const error = errorsOf(problem).get("name")
  const toggle = (scope: Scope, isOn: boolean) => {
    const next = new Set(chosen.value)
    if (isOn) next.add(scope)
    else next.delete(scope)
    chosen.value = next
    isMissing.value = false
  }
  const choice = (scope: Scope, title: string) => (
    <label key={scope} class="check" title={scope}>
      <input
        type="checkbox"
        name={`scope-${scope}`}
        checked={chosen.value.has(scope)}
        onChange={({ currentTarget }) => toggle(scope, currentTarget.checked)}
      />
      {title}
    </label>
  )
  const submit = (event: Event) => {
    event.preventDefault()
    if (chosen.value.size === 0) {
      isMissing.value = true
      return
    }
    let answer: CreatedToken | undefined
    void doing
      .run(async () => {
        answer = await call("POST /api/v1/service-tokens", {
          payload: {
            name: name.current!.value.trim(),
            scopes: [...chosen.value],
            ...(lifetime.value === "" ? {} : { expires_in: Number(lifetime.value) * daySeconds })
          }
        })
      })
      .then((done) => done && created(answer!))
  }
  return (
    <form class="stack card token-form" aria-labelledby="token-form" onSubmit={submit} autocomplete="off">
      <h2 id="token-form">{t().title}</h2>
      <label>
        {shared().name}
        <input
          ref={name}
          name="token_name"
          required
          maxLength={200}
          aria-invalid={error !== undefined}
          aria-describedby="token-name-hint"
        />
      </label>
      <small id="token-name-hint" class={`field-hint ${error === undefined ? "" : "field-error"}`}>
        {error ?? t().nameHint}
      </small>
      <label>
        {t().expiry}
        <select
          name="lifetime"
          value={lifetime.value}
          onChange={({ currentTarget }) => (lifetime.value = currentTarget.value)}
        >
          {lifetimes.map((days) => (
            <option key={days} value={String(days)}>
              {days === 365 ? t().year : t().days(days)}
            </option>
          ))}
          <option value="">{t().forever}</option>
        </select>
      </label>
      <fieldset aria-describedby="scopes-hint">
        <legend>{t().scopes}</legend>
        <small id="scopes-hint">{t().scopesHint}</small>
        <div class="scope-groups">
          {me.value?.role === "admin" ? (
            <div role="group" aria-label={t().machines}>
              <p class="scope-title">{t().machines}</p>
              {machineScopes.map((scope: MachineScope) => choice(scope, machineTitle(scope)))}
            </div>
          ) : null}
          {grouped(me.value?.permissions ?? []).map(([key, title, own]) => (
            <div key={key} role="group" aria-label={title}>
              <p class="scope-title">{title}</p>
              {own.map((one) => choice(one, permissionTitle(one)))}
            </div>
          ))}
        </div>
        <p role="alert" class="field-error">
          {isMissing.value ? t().none : ""}
        </p>
      </fieldset>
      <Refused problem={problem} shown={["name"]} />
      <div class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {t().create}
        </button>
        <button type="button" onClick={shut}>
          {shared().cancel}
        </button>
      </div>
    </form>
  )
}
