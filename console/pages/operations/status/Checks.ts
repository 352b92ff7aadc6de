/** Fields of a component's check, and the check built from them. Pure, except for the words. */
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import { Problem } from "../../../lib/Problem.ts"
import type { Field } from "../../telephony/Kind.ts"

export type StoredComponent = Answer<"GET /api/v1/admin/components">["items"][number]
export type Definition = StoredComponent["checks"][number]
export type CheckType = Definition["type"]

/** Kinds of checks in the form; `none`: only incidents change the status. */
export const checkTypes = ["http", "tcp", "tls", "dns", "none"] as const

export const checkWords = words({
  en: {
    http: "Web address",
    tcp: "TCP port",
    tls: "Certificate",
    dns: "DNS record",
    none: "Nothing, only incidents",
    url: "Address",
    urlHint: "Begins with http:// or https://",
    expect: "Accepted status",
    expectHint: "Such as 200 204. Empty: 200 to 399.",
    contains: "The answer contains",
    host: "Host to check",
    port: "Port",
    tlsPort: "Empty: 443.",
    servername: "Name for SNI",
    servernameHint: "Empty: the host.",
    days: "Impaired when fewer days are left",
    daysHint: "Empty: 14.",
    record: "Name",
    recordType: "Type of the record",
    server: "Name server",
    serverHint: "Empty: those of this server.",
    answer: "Expected record",
    answerHint: "Empty: any."
  },
  de: {
    http: "Webadresse",
    tcp: "TCP-Port",
    tls: "Zertifikat",
    dns: "DNS-Eintrag",
    none: "Nichts, nur Störungen",
    url: "Adresse",
    urlHint: "Beginnt mit http:// oder https://",
    expect: "Zulässiger Status",
    expectHint: "Etwa 200 204. Leer: 200 bis 399.",
    contains: "Die Antwort enthält",
    host: "Geprüfter Host",
    port: "Port",
    tlsPort: "Leer: 443.",
    servername: "Name für SNI",
    servernameHint: "Leer: der Host.",
    days: "Beeinträchtigt, wenn weniger Tage bleiben",
    daysHint: "Leer: 14.",
    record: "Name",
    recordType: "Art des Eintrags",
    server: "Nameserver",
    serverHint: "Leer: die dieses Servers.",
    answer: "Erwarteter Eintrag",
    answerHint: "Leer: irgendeiner."
  }
})

const t = checkWords

const text = (name: string, label: () => string, more: Partial<Field> = {}): Field => ({
  name,
  label,
  input: { kind: "text" },
  ...more
})

const host = text("target", () => t().host, { required: true })
const portInput = { kind: "number", min: 1, max: 65_535 } as const
const recordTypes = ["A", "AAAA", "MX", "TXT", "NS", "CNAME"] as const

const fields: Readonly<Record<CheckType, ReadonlyArray<Field>>> = {
  http: [
    text("url", () => t().url, { required: true, hint: () => t().urlHint, input: { kind: "text", type: "url" } }),
    text("statuses", () => t().expect, { hint: () => t().expectHint }),
    text("wanted", () => t().contains)
  ],
  tcp: [host, { name: "port", label: () => t().port, input: portInput, required: true }],
  tls: [
    host,
    { name: "port", label: () => t().port, hint: () => t().tlsPort, input: portInput },
    text("servername", () => t().servername, { hint: () => t().servernameHint }),
    { name: "days", label: () => t().days, hint: () => t().daysHint, input: { kind: "number", min: 0, max: 365 } }
  ],
  dns: [
    text("record", () => t().record, { required: true }),
    {
      name: "record_type",
      label: () => t().recordType,
      input: { kind: "choice", options: recordTypes.map((one) => [one, () => one] as const) }
    },
    text("server", () => t().server, { hint: () => t().serverHint }),
    text("answer", () => t().answer, { hint: () => t().answerHint })
  ]
}

/** Members of a check that the form calls differently, because other fields have these names, or methods of forms. */
const renamed: Readonly<Record<CheckType, Readonly<Record<string, string>>>> = {
  http: { expect: "statuses", contains: "wanted" },
  tcp: { host: "target" },
  tls: { host: "target" },
  dns: { name: "record", expect: "answer" }
}

/** Separator of several values in one input; records contain spaces. */
const separator: Readonly<Record<CheckType, string>> = { http: " ", tcp: " ", tls: " ", dns: " || " }

/** Fields of a check, with the values of `check` if it has this type. */
export const fieldsOf = (type: CheckType, check?: Definition): ReadonlyArray<Field> => {
  if (check?.type !== type) return fields[type]
  const values = new Map(
    Object.entries(check).map(([name, value]) => [
      renamed[type][name] ?? name,
      Array.isArray(value) ? value.join(separator[type]) : String(value)
    ])
  )
  return fields[type].map((field) => (values.has(field.name) ? { ...field, initial: values.get(field.name) } : field))
}

/** The check of the form's values. */
export const checkOf = (type: CheckType, values: Readonly<Record<string, unknown>>): Definition => {
  const names = new Map(Object.entries(renamed[type]).map(([name, inForm]) => [inForm, name]))
  const own = fields[type].flatMap((field) => {
    const value = values[field.name]
    if (value === undefined) return []
    const name = names.get(field.name) ?? field.name
    if (name !== "expect") return [[name, value] as const]
    return [
      [
        name,
        type === "http"
          ? String(value)
              .split(/[\s,]+/)
              .map(Number)
          : String(value).split(separator.dns)
      ] as const
    ]
  })
  return { type, ...Object.fromEntries(own) } as Definition
}

/** Names of the inputs of all checks. */
export const checkInputs: ReadonlySet<string> = new Set(
  Object.values(fields)
    .flat()
    .map(({ name }) => name)
)

/** The problem with the members of the first check named as in the form. */
export const inForm = (type: CheckType | undefined, error: unknown): unknown => {
  const errors = error instanceof Problem ? error.fields["errors"] : undefined
  if (type === undefined || !(error instanceof Problem) || !Array.isArray(errors)) return error
  return new Problem(error.status, error.code, error.message, {
    ...error.fields,
    errors: errors.map((one: { readonly field: string }) => ({
      ...one,
      field: one.field.replace(
        /^payload\.checks\[0\]\.(\w+).*/,
        (_, name: string) => `payload.${renamed[type][name] ?? name}`
      )
    }))
  })
}

/** Id for a component with this name: `Web mail` gives `web-mail`. Empty when the name has no Latin letter or digit. */
export const idOf = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, maxId)

/** Longest id. Unit: characters. Source: the server. */
const maxId = 64
