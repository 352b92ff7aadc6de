import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { offered, words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { me } from "../../lib/Me.ts"
import { useDoing } from "../../lib/Doing.ts"
import { TimeZonePicker } from "../../parts/TimeZonePicker.tsx"
import { errorsOf } from "../telephony/Refusals.ts"
import { Refused } from "./Refusals.ts"
import { type Role, rolePurpose, roleTitle, shared, type User } from "./Words.ts"
import "./people.css"

const t = words({
  en: {
    add: "Add a user",
    change: (name: string) => `Change ${name}`,
    create: "Add",
    ownRole: "Another administrator can change your own role.",
    signedOut: "A new role ends the user's sessions. The user signs in again.",
    deviceZone: "Without a time zone: as the user's device. Mails and notifications then say UTC.",
    invited: "You then get a link with which the user signs in and sets a password."
  },
  de: {
    add: "Benutzer anlegen",
    change: (name: string) => `${name} ändern`,
    create: "Anlegen",
    ownRole: "Die eigene Rolle kann nur jemand anderes aus der Administration ändern.",
    signedOut: "Eine neue Rolle beendet die Anmeldungen. Danach ist eine neue Anmeldung nötig.",
    deviceZone: "Ohne Zeitzone: wie das Gerät der Person. E-Mails und Benachrichtigungen nennen dann UTC.",
    invited: "Danach erhalten Sie einen Link, mit dem sich die Person anmeldet und ein Passwort wählt."
  }
})

const fields = ["email", "name", "role", "locale", "time_zone"]

interface Props {
  /** Undefined to create a user. */
  readonly user: User | undefined
  /** Id of another tenant; undefined for the own one. */
  readonly tenant: string | undefined
  readonly saved: (user: User) => void
  readonly shut: () => void
}

/** Form of a user. It offers only roles that the caller may grant. */
export const UserForm = ({ saved, shut, tenant, user }: Props) => {
  const doing = useDoing()
  const form = useFirstFocus<HTMLFormElement>("input")
  const chosen = useSignal<Role>(user?.role ?? "user")
  /** Undefined: as the user's device. */
  const zone = useSignal<string | undefined>(user?.time_zone ?? undefined)
  const rights = useLoad(() => call("GET /api/v1/roles"))
  const own = new Set<string>(me.value?.permissions)
  const grantable = (rights.value.value?.items ?? [])
    .filter(({ permissions, role }) => role === user?.role || permissions.every((one) => own.has(one)))
    .map(({ role }) => role)
  const isOwn = user !== undefined && user.id === me.value?.id
  const languages = offered.value.some(({ code }) => code === (user?.locale ?? "en"))
    ? offered.value
    : [...offered.value, { code: user!.locale, label: user!.locale }]
  const problem = doing.problem.value
  const errors = errorsOf(problem)
  const error = (name: string) =>
    errors.has(name) ? (
      <small class="field-error" id={`user-${name}-error`}>
        {errors.get(name)}
      </small>
    ) : null
  const invalid = (name: string) =>
    errors.has(name) ? { "aria-invalid": true, "aria-describedby": `user-${name}-error` } : {}
  const submit = (event: Event) => {
    event.preventDefault()
    const given = new FormData(form.current!)
    const text = (name: string) => String(given.get(name) ?? "").trim()
    const payload = {
      email: text("email"),
      name: text("full_name"),
      locale: text("locale"),
      time_zone: zone.value ?? null,
      ...(isOwn ? {} : { role: text("role") as Role })
    }
    let answer: User | undefined
    void doing
      .run(async () => {
        answer =
          user === undefined
            ? await call("POST /api/v1/users", {
                payload: {
                  ...payload,
                  role: text("role") as Role,
                  ...(tenant === undefined ? {} : { tenant_id: Number(tenant) })
                }
              })
            : await call("PATCH /api/v1/users/:id", { params: { id: user.id }, query: { tenant_id: tenant }, payload })
      })
      .then((done) => done && saved(answer!))
  }
  // The menu of roles needs its entries before it can select one.
  const isReady = rights.value.value !== undefined
  return (
    <form ref={form} class="stack card" aria-labelledby="user-form" onSubmit={submit} autocomplete="off">
      <h2 id="user-form">{user === undefined ? t().add : t().change(user.name)}</h2>
      <label>
        {shared().name}
        <input name="full_name" required maxLength={200} defaultValue={user?.name ?? ""} {...invalid("name")} />
        {error("name")}
      </label>
      <label>
        {shared().email}
        <input
          name="email"
          type="email"
          required
          maxLength={254}
          defaultValue={user?.email ?? ""}
          {...invalid("email")}
        />
        {error("email")}
      </label>
      <label>
        {shared().role}
        <select
          key={String(isReady)}
          name="role"
          required
          disabled={isOwn || !isReady}
          aria-describedby="role-hint"
          onChange={({ currentTarget }) => (chosen.value = currentTarget.value as Role)}
        >
          {grantable.map((role) => (
            <option key={role} value={role} selected={role === chosen.value}>
              {roleTitle(role)}
            </option>
          ))}
        </select>
        {error("role")}
      </label>
      <small id="role-hint" class="field-hint">
        {rolePurpose(chosen.value)} {isOwn ? t().ownRole : user === undefined ? "" : t().signedOut}
      </small>
      <label>
        {shared().language}
        <select name="locale">
          {languages.map(({ code, label }) => (
            <option key={code} value={code} selected={code === (user?.locale ?? me.value?.locale ?? "en")}>
              {label}
            </option>
          ))}
        </select>
        {error("locale")}
      </label>
      <div class="field">
        <label for="user-time-zone">{shared().timeZone}</label>
        <TimeZonePicker
          id="user-time-zone"
          describedBy="user-time-zone-hint"
          value={zone.value}
          pick={(one) => (zone.value = one)}
        />
        {error("time_zone")}
      </div>
      <small id="user-time-zone-hint" class="field-hint">
        {t().deviceZone}
      </small>
      {user === undefined ? <p class="soft">{t().invited}</p> : null}
      <Refused problem={problem} shown={fields} />
      <div class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value || !isReady}>
          {user === undefined ? t().create : shared().save}
        </button>
        <button type="button" onClick={shut}>
          {shared().cancel}
        </button>
      </div>
    </form>
  )
}
