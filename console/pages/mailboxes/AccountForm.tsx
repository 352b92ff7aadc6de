import { call } from "../../lib/Call.ts"
import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"
import { useDoing } from "../../lib/Doing.ts"
import type { Account } from "../mail/Shapes.ts"

const t = words({
  en: {
    add: "Add an account of another mail server",
    change: (address: string) => `Change ${address}`,
    address: "E-mail address",
    password: "Password",
    keep: "Stays as it is unless you type one; another server needs it anew.",
    imap: "IMAP server",
    smtp: "SMTP server for sending",
    smtpHint: "Without one, nothing is sent from here.",
    port: "Port",
    login: "User name",
    loginHint: "The address, unless you type another.",
    name: "Name that mail goes out under",
    watch: "Watching",
    always: "always",
    lazy: "only while somebody reads",
    check: "Try the sign-in first",
    save: "Save",
    saving: "Trying …",
    cancel: "Cancel",
    tls: "Both by TLS from the first byte (993, 465).",
    refused: "That mail server does not take this password.",
    away: "That mail server does not answer, or its address is not allowed.",
    taken: "There is an account of this address already.",
    other: (text: string) => `That did not work: ${text}`
  },
  de: {
    add: "Konto eines anderen Mailservers hinzufügen",
    change: (address: string) => `${address} ändern`,
    address: "E-Mail-Adresse",
    password: "Passwort",
    keep: "Bleibt, wie es ist, wenn nichts eingegeben wird; ein anderer Server braucht es neu.",
    imap: "IMAP-Server",
    smtp: "SMTP-Server zum Senden",
    smtpHint: "Ohne ihn wird von hier nichts gesendet.",
    port: "Port",
    login: "Benutzername",
    loginHint: "Die Adresse, wenn nichts anderes eingegeben wird.",
    name: "Name, unter dem Mail hinausgeht",
    watch: "Beobachten",
    always: "immer",
    lazy: "nur während jemand liest",
    check: "Anmeldung zuerst versuchen",
    save: "Speichern",
    saving: "Wird versucht …",
    cancel: "Abbrechen",
    tls: "Beide mit TLS vom ersten Byte an (993, 465).",
    refused: "Dieser Mailserver nimmt das Passwort nicht an.",
    away: "Dieser Mailserver antwortet nicht, oder er darf nicht gefragt werden.",
    taken: "Es gibt schon ein Konto mit dieser Adresse.",
    other: (text: string) => `Das ging nicht: ${text}`
  }
})

const told = (problem: Problem): string =>
  problem.code === "mail_sign_in_refused"
    ? t().refused
    : problem.code === "mail_server_unavailable"
      ? t().away
      : problem.code === "account_taken"
        ? t().taken
        : t().other(problem.message)

/** The server's errors by field name. */
const fieldErrors = (problem: Problem | undefined): ReadonlyMap<string, string> =>
  new Map(
    Array.isArray(problem?.fields["errors"])
      ? (problem.fields["errors"] as ReadonlyArray<{ field: string; message: string }>).map(({ field, message }) => [
          field.replace(/^.*\./, ""),
          message
        ])
      : []
  )

interface Props {
  /** Undefined to create an account. */
  readonly account: Account | undefined
  readonly saved: () => void
  readonly shut: () => void
}

/** Form for an account's server and login. Of an own account only the name and the watching can be edited. */
export const AccountForm = ({ account, saved, shut }: Props) => {
  const doing = useDoing()
  const form = useFirstFocus<HTMLFormElement>("input, select")
  const own = account?.kind === "own"
  const errors = fieldErrors(doing.problem.value)

  const submit = (event: Event) => {
    event.preventDefault()
    const given = new FormData(form.current!)
    const text = (name: string) => String(given.get(name) ?? "").trim()
    const port = (name: string) => (text(name) === "" ? {} : { [name]: Number(text(name)) })
    const watch = text("watch") as Account["watch"]
    const shared = { display_name: text("display_name"), watch }
    const password = String(given.get("password") ?? "")
    const where = {
      address: text("address"),
      imap_host: text("imap_host"),
      ...port("imap_port"),
      smtp_host: text("smtp_host") || null,
      ...port("smtp_port"),
      login: text("login") || null
    }
    const query = { verify: given.has("verify") ? ("true" as const) : ("false" as const) }
    void doing
      .run(() =>
        account === undefined
          ? call("POST /api/v1/mail/webmail/accounts", { query, payload: { ...where, ...shared, password } })
          : call("PUT /api/v1/mail/webmail/accounts/:id", {
              params: { id: String(account.id) },
              query,
              payload: own ? shared : { ...where, ...shared, ...(password === "" ? {} : { password }) }
            })
      )
      .then((done) => done && saved())
  }

  const field = (
    name: string,
    label: string,
    more: {
      readonly type?: "email" | "number" | "password"
      readonly value?: string | number | null
      readonly required?: boolean
      readonly hint?: string
      readonly autocomplete?: string
    } = {}
  ) => (
    <label>
      {label}
      <input
        name={name}
        {...((more.type === "number" ? { type: "number", min: 1, max: 65_535 } : { type: more.type ?? "text" }) as {
          readonly type: "text"
        })}
        defaultValue={String(more.value ?? "")}
        required={more.required ?? false}
        autocomplete={more.autocomplete ?? "off"}
        aria-invalid={errors.has(name)}
      />
      {errors.has(name) ? (
        <small class="wrong">{errors.get(name)}</small>
      ) : more.hint === undefined ? null : (
        <small>{more.hint}</small>
      )}
    </label>
  )
  return (
    <form ref={form} class="stack card account-form" onSubmit={submit} aria-labelledby="account-form">
      <h2 id="account-form">{account === undefined ? t().add : t().change(account.address)}</h2>
      {own ? null : (
        <>
          {field("address", t().address, { type: "email", value: account?.address ?? "", required: true })}
          {field("password", t().password, {
            type: "password",
            required: account === undefined,
            autocomplete: "new-password",
            ...(account === undefined ? {} : { hint: t().keep })
          })}
          <div class="pair">
            {field("imap_host", t().imap, { value: account?.imap_host ?? "", required: true, hint: t().tls })}
            {field("imap_port", t().port, { type: "number", value: account?.imap_port ?? 993 })}
          </div>
          <div class="pair">
            {field("smtp_host", t().smtp, { value: account?.smtp_host ?? "", hint: t().smtpHint })}
            {field("smtp_port", t().port, { type: "number", value: account?.smtp_port ?? 465 })}
          </div>
          {field("login", t().login, { value: account?.login ?? "", hint: t().loginHint })}
        </>
      )}
      {field("display_name", t().name, { value: account?.display_name ?? "" })}
      <label>
        {t().watch}
        <select name="watch" defaultValue={account?.watch ?? "always"}>
          <option value="always">{t().always}</option>
          <option value="lazy">{t().lazy}</option>
        </select>
      </label>
      {own ? null : (
        <label class="check">
          <input type="checkbox" name="verify" defaultChecked /> {t().check}
        </label>
      )}
      <div role="alert" class={doing.problem.value === undefined ? "" : "trouble"}>
        {doing.problem.value === undefined ? null : <p>{told(doing.problem.value)}</p>}
      </div>
      <div class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {doing.busy.value ? t().saving : t().save}
        </button>
        <button type="button" onClick={shut}>
          {t().cancel}
        </button>
      </div>
    </form>
  )
}
