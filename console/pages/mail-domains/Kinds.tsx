/** Descriptions of mail domains, mailboxes and aliases for the shared list and form. */
import type { Answer } from "../../lib/Endpoints.ts"
import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { Badge } from "../../parts/Badge.tsx"
import { CustomerName } from "../../parts/CustomerName.tsx"
import { CustomerPicker } from "../../parts/CustomerPicker.tsx"
import { kind, kindWithin } from "../telephony/Kind.ts"
import { NameOf } from "../telephony/NameOf.tsx"

const t = words({
  en: {
    domains: "Mail domains",
    addDomain: "Add a mail domain",
    noDomain:
      "No mail domain yet. Add the domain of your mail addresses; its mailboxes, aliases and DNS records follow.",
    domain: "Domain",
    domainHint: "Such as example.org; mailboxes come afterwards.",
    customer: "Customer",
    state: "State",
    proven: "in use",
    pending: "waits for proof",
    records: "DNS records",
    wrong: (count: number) => `${count} to correct`,
    unknown: "not checked yet",
    right: "all right",
    mailboxes: "Mailboxes",
    addMailbox: "Add a mailbox",
    noMailbox: "No mailbox yet. A mailbox receives and sends the mail of one address.",
    localPart: "Name before the @",
    localPartHint: "Letters, digits, -, _ and single dots",
    password: "Password",
    passwordHint: "Empty when changing: it stays.",
    quota: "Space in MiB",
    quotaHint: "Empty: no limit",
    user: "Belongs to",
    userHint: "Empty: the user with this address, if there is one.",
    nobody: "nobody",
    address: "Address",
    noLimit: "no limit",
    mebibytes: (count: string) => `${count} MiB`,
    active: "active",
    suspended: "suspended",
    usual: "default of its user",
    aliases: "Aliases",
    addAlias: "Add an alias",
    noAlias: "No alias yet. An alias passes the mail of an address on to another one.",
    source: "Name before the @",
    destination: "Passes mail to",
    destinationHint: "A whole address, here or elsewhere"
  },
  de: {
    domains: "Mail-Domains",
    addDomain: "Mail-Domain hinzufügen",
    noDomain:
      "Noch keine Mail-Domain. Fügen Sie die Domain Ihrer Mailadressen hinzu; Postfächer, Aliasse und DNS-Einträge folgen danach.",
    domain: "Domain",
    domainHint: "Etwa example.org; Postfächer kommen danach.",
    customer: "Kunde",
    state: "Zustand",
    proven: "in Betrieb",
    pending: "wartet auf den Nachweis",
    records: "DNS-Einträge",
    wrong: (count: number) => `${count} zu berichtigen`,
    unknown: "noch nicht geprüft",
    right: "alle richtig",
    mailboxes: "Postfächer",
    addMailbox: "Postfach hinzufügen",
    noMailbox: "Noch kein Postfach. Ein Postfach empfängt und sendet die Mail einer Adresse.",
    localPart: "Name vor dem @",
    localPartHint: "Buchstaben, Ziffern, -, _ und einzelne Punkte",
    password: "Passwort",
    passwordHint: "Beim Ändern leer lassen: Es bleibt.",
    quota: "Platz in MiB",
    quotaHint: "Leer: unbegrenzt",
    user: "Gehört",
    userHint: "Leer: der Benutzer mit dieser Adresse, falls es ihn gibt.",
    nobody: "niemandem",
    address: "Adresse",
    noLimit: "unbegrenzt",
    mebibytes: (count: string) => `${count} MiB`,
    active: "aktiv",
    suspended: "gesperrt",
    usual: "Standard seines Benutzers",
    aliases: "Aliasse",
    addAlias: "Alias hinzufügen",
    noAlias: "Noch kein Alias. Ein Alias gibt die Mail einer Adresse an eine andere weiter.",
    source: "Name vor dem @",
    destination: "Gibt Mail weiter an",
    destinationHint: "Eine ganze Adresse, hier oder anderswo"
  }
})

export const mailDomainWords = t

export type MailDomain = Answer<"GET /api/v1/mail/domains/:id">

/** Largest quota. Unit: MiB. Source: `maxQuota` of mail-admin. */
const maxQuota = 1_048_576

export const OwnershipBadge = ({ state }: { readonly state: "pending" | "proven" }) => (
  <Badge tone={state === "proven" ? "success" : "warning"}>{t()[state]}</Badge>
)

/** Sum of the states of a domain's DNS records. */
const RecordsBadge = ({ records }: { readonly records: ReadonlyArray<{ readonly status: string }> }) => {
  const bad = records.filter(({ status }) => status === "missing" || status === "wrong").length
  return bad > 0 ? (
    <Badge tone="error">{t().wrong(bad)}</Badge>
  ) : records.some(({ status }) => status === "unknown") ? (
    <Badge tone="quiet">{t().unknown}</Badge>
  ) : (
    <Badge tone="success">{t().right}</Badge>
  )
}

export const mailDomains = kind("/api/v1/mail/domains", {
  title: () => t().domains,
  add: () => t().addDomain,
  none: () => t().noDomain,
  called: ({ domain }) => domain,
  manage: "mail.manage",
  fixed: true,
  live: ["mail.domain.*"],
  fields: [
    { name: "domain", label: () => t().domain, hint: () => t().domainHint, input: { kind: "text" }, required: true },
    {
      name: "customer_id",
      label: () => t().customer,
      input: { kind: "own", number: true, draw: (input) => <CustomerPicker {...input} required /> },
      required: true
    }
  ],
  columns: [
    {
      title: () => t().domain,
      show: ({ domain, id }) => (
        <strong>
          <a href={`/console/mail-domains/${id}`}>{domain}</a>
        </strong>
      )
    },
    { title: () => t().state, show: ({ ownership }) => <OwnershipBadge state={ownership.state} /> },
    { title: () => t().records, show: ({ records }) => <RecordsBadge records={records} /> },
    { title: () => t().customer, show: ({ customer_id }) => <CustomerName id={customer_id} /> }
  ]
})

/** Mailboxes of the domain with this id. */
export const mailboxesOf = (domainId: number) =>
  kindWithin("/api/v1/mail/accounts", "/api/v1/mail/domains/:id/accounts", domainId, {
    title: () => t().mailboxes,
    add: () => t().addMailbox,
    none: () => t().noMailbox,
    called: ({ address }) => address,
    manage: "mail.manage",
    live: ["mail.account.*"],
    fields: [
      {
        name: "local_part",
        label: () => t().localPart,
        hint: () => t().localPartHint,
        input: { kind: "text" },
        required: true,
        once: true
      },
      {
        name: "password",
        label: () => t().password,
        hint: () => t().passwordHint,
        input: { kind: "secret" },
        required: true
      },
      {
        name: "quota_mb",
        label: () => t().quota,
        hint: () => t().quotaHint,
        input: { kind: "number", min: 1, max: maxQuota },
        nullable: true
      },
      {
        name: "user_id",
        label: () => t().user,
        hint: () => t().userHint,
        input: { kind: "thing", of: "user", none: () => t().nobody },
        nullable: true
      }
    ],
    columns: [
      { title: () => t().address, show: ({ address }) => <strong>{address}</strong> },
      {
        title: () => t().user,
        show: ({ is_default, user_id }) =>
          user_id === null ? (
            t().nobody
          ) : (
            <>
              <NameOf of="user" id={user_id} />
              {is_default ? <small class="block">{t().usual}</small> : null}
            </>
          )
      },
      {
        title: () => t().quota,
        show: ({ quota_mb }) => (quota_mb === null ? t().noLimit : t().mebibytes(number(quota_mb)))
      },
      {
        title: () => t().state,
        show: ({ state }) => <Badge tone={state === "active" ? "success" : "warning"}>{t()[state]}</Badge>
      }
    ]
  })

/** Aliases of the domain with this id and name. */
export const aliasesOf = (domainId: number, domain: string) =>
  kindWithin("/api/v1/mail/aliases", "/api/v1/mail/domains/:id/aliases", domainId, {
    title: () => t().aliases,
    add: () => t().addAlias,
    none: () => t().noAlias,
    called: ({ destination, source }) => `${source}@${domain} → ${destination}`,
    manage: "mail.manage",
    fixed: true,
    remade: true,
    fields: [
      { name: "source", label: () => t().source, input: { kind: "text" }, required: true },
      {
        name: "destination",
        label: () => t().destination,
        hint: () => t().destinationHint,
        input: { kind: "text", type: "email" },
        required: true
      }
    ],
    columns: [
      { title: () => t().address, show: ({ source }) => <strong>{`${source}@${domain}`}</strong> },
      { title: () => t().destination, show: ({ destination }) => destination }
    ]
  })
