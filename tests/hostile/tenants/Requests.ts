/**
 * Requests for any endpoint, generated from its OpenAPI description: a valid one with the caller's own values, and one
 * for each field with a value of another tenant in this field. Pure.
 */
import { OpenApi } from "effect/http-api"
import { createECDH } from "node:crypto"
import { top } from "#core/http/Api.ts"
import { daemons } from "#daemons/Suite.ts"
import { type Json, type Operation, operationsOf } from "#support/walk/Operations.ts"
import { accountIbans } from "./OwnData.ts"
import type { Values } from "./Rows.ts"
import { passwords } from "./Site.ts"

export interface Target extends Operation {
  readonly daemon: string
  /** The template up to its last parameter; empty: no parameters. */
  readonly prefix: string
}

/** All operations of all daemons. */
export const targets: ReadonlyArray<Target> = daemons.flatMap(({ api, name }) =>
  operationsOf(OpenApi.fromApi(top(api))).map((operation) => ({
    ...operation,
    daemon: name,
    prefix: operation.template.slice(0, operation.template.lastIndexOf("}") + 1)
  }))
)

/** Schema of the daemon's tables. */
export const schemaOf = ({ daemon }: Target) => daemon.replaceAll("-", "_")

/** Names of the path parameters. */
export const parametersOf = (template: string): ReadonlyArray<string> =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

type Fields = Readonly<Record<string, unknown>>

/** One request, without path parameters and credentials. */
export interface Sent {
  readonly query: Readonly<Record<string, string>>
  readonly type: string | undefined
  readonly body: unknown
  /** Name of the field with the foreign value. */
  readonly field: string | undefined
}

let count = 0
const fresh = () => `hostile-${(++count).toString(36)}`
const freshNumber = () => `+493029${100_000 + ++count}`

const mail = () => `${fresh()}@far.test`

/** Key of a browser, for web push. */
const browserKey = (() => {
  const key = createECDH("prime256v1")
  key.generateKeys()
  return key.getPublicKey("base64url")
})()

/** Values of fields whose schema alone does not describe a valid one. */
const samples: Readonly<Record<string, () => unknown>> = {
  password: () => passwords.B,
  current_password: () => passwords.B,
  new_password: () => passwords.B,
  email: mail,
  emails: mail,
  address: mail,
  to: mail,
  cc: mail,
  bcc: mail,
  reply_to: mail,
  in_reply_to: () => "<never@far.test>",
  match_value: mail,
  destination: mail,
  domain: () => `${fresh()}.test`,
  host: () => "sip.far.test",
  imap_host: () => "imap.far.test",
  smtp_host: () => "smtp.far.test",
  realm: () => "far.test",
  number: freshNumber,
  target: freshNumber,
  caller_id: freshNumber,
  phones: freshNumber,
  pattern: () => "+491*",
  digits: () => "1",
  greeting: () => "ivr/hello.wav",
  content: () => "192.0.2.9",
  networks: () => "192.0.2.0/24",
  credentials: () => ({}),
  chat_id: () => "4712",
  code: () => "123456",
  data: () => ({}),
  action_url: () => "/somewhere",
  locale: () => "de",
  language: () => "de",
  lang: () => "de",
  event_type: () => "email.alarm.received",
  email_subject: () => "INFO:MESSENGER+4712",
  category: () => "system",
  zone: () => "Europe/Berlin",
  time_zone: () => "Europe/Berlin",
  read_at: () => "2026-01-31T12:00:00Z",
  quiet: () => null,
  digest_at: () => "08:00",
  starts_at: () => "2035-01-31T12:00:00Z",
  ends_at: () => "2035-01-31T13:00:00Z",
  endpoint: () => "https://push.far.test/subscription",
  p256dh: () => browserKey,
  auth: () => "A".repeat(22),
  messenger: () => "hostile_m",
  chat_app: () => "+49170123456",
  websites: () => "https://far.test",
  flags: () => "\\Seen",
  entity_id: () => "1",
  expires_in: () => 60,
  tts_voice: () => ""
}

/** Values for single endpoints, by a part of the template and the name of the field. Undefined: omitted. */
const special: Readonly<Record<string, Readonly<Record<string, (own: Values) => unknown>>>> = {
  "/sip/ring-groups": {
    number: () => String(600_000 + ++count),
    domain: (own) => own.named("sip_domain")[0],
    extensions: () => ["101"]
  },
  // These secrets need permissions of their own.
  "/sip/extensions": { password: () => undefined },
  "/sip/trunks": { host: (own) => own.named("host")[0], password: () => undefined, register: () => false },
  "/v1/domains": { name: () => `${fresh()}.test`, type: () => "A", remove: () => [] },
  "/v1/notifications": { type: () => "order.paid" },
  "/dns-providers": { type: () => "manual" },
  "/webmail/send": { attachments: () => [], draft_key: () => "A".repeat(16) },
  "/webmail/drafts": { attachments: () => [], draft_key: () => "A".repeat(16) },
  "/fetch": { order_types: () => ["C53"] },
  // The IBAN of one of the own accounts; which one the path names is not known here.
  "/keys/reset": { confirm: () => accountIbans.B },
  "/reconcile": { suggestion: () => undefined },
  "/crm/payments": { discount: () => "0.01", invoice_number: () => undefined },
  "/crm/ebics/accounts": {
    host_id: () => "HOST",
    partner_id: () => "PARTNER",
    user_id: () => "USER",
    server_url: () => "https://bank.far.test/ebics",
    bic: () => "COBADEFFXXX",
    order_types: () => [{ order: "C53", kind: "daily" }],
    daily_schedule: () => "0 8 * * *",
    intraday_schedule: () => "off",
    passphrase: () => "a passphrase of the hostile tenant",
    from_date: () => "2026-01-05",
    to_date: () => "2026-01-06"
  },
  "/crm/": {
    iban: () => "DE75512108001245126199",
    ibans: () => ["DE75512108001245126199"],
    currency: () => "EUR",
    amount: () => "1.00",
    issued_on: () => "2026-01-05",
    due_on: () => "2026-01-20",
    paid_on: () => "2026-01-06",
    discount: () => ({ until: "2026-01-10", amount: "0.02" })
  }
}

/** Bodies whose fields depend on each other, or that contain no fields. */
const bodies: Readonly<Record<string, () => unknown>> = {
  "POST /api/v1/mail/contacts/import": () => "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:New\r\nEND:VCARD\r\n",
  "POST /api/v1/crm/customers/imports": () => `number,name\n${fresh()},New\n`,
  "POST /api/v1/crm/invoices/imports": () => `number,amount,issued_on\n${fresh()},1.00,2026-01-05\n`,
  "POST /api/v1/crm/payments/imports": () => `external_id,amount,paid_on\n${fresh()},1.00,2026-01-06\n`,
  "POST /api/v1/wakeword/samples/upload": () => uploadForm(fresh())
}

const boundary = "boundary-of-the-hostile-tenant"

/** A form with a recording of 0.1 s: 8,000 Hz, 8 bits. All its bytes are ASCII, so it can be sent as text. */
const uploadForm = (word: string): string => {
  const number = (value: number, bytes: number) =>
    String.fromCharCode(...Array.from({ length: bytes }, (_, at) => (value >> (8 * at)) & 0xff))
  const format = `${number(1, 2)}${number(1, 2)}${number(8_000, 4)}${number(8_000, 4)}${number(1, 2)}${number(8, 2)}`
  const samples = word.padEnd(800, "@")
  const wav = `RIFF${number(836, 4)}WAVEfmt ${number(16, 4)}${format}data${number(800, 4)}${samples}`
  const part = (name: string, rest: string, content: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n`
  return `${part("word", "", word)}${part("files", `; filename="a.wav"\r\ncontent-type: audio/wav`, wav)}--${boundary}--\r\n`
}

const first = (schema: Json): Json =>
  (schema.anyOf ?? schema.oneOf)?.find(({ type, enum: values }) => type !== "null" && values?.[0] !== "") ?? schema

/** A valid value of a field. */
const sample = (name: string, given: Json, own: Values, template: string): unknown => {
  const schema = first(given)
  const [, here] =
    Object.entries(special).find(([part, of]) => template.includes(part) && Object.hasOwn(of, name)) ?? []
  if (here !== undefined) return here[name]!(own)
  if (Object.hasOwn(samples, name) && schema.enum === undefined) {
    const value = samples[name]!()
    return schema.type === "array" ? [value] : value
  }
  const element = schema.type === "array" ? (schema.items ?? {}) : given
  const known =
    name.endsWith("_id") || name === "extensions" ? own.named(name).filter((value) => fits(element, value)) : []
  if (known.length > 0 && schema.type !== "object") return schema.type === "array" ? known.slice(0, 1) : known[0]
  const values = schema.enum?.filter((value) => value !== "")
  if (values !== undefined && values.length > 0) return values[0]
  switch (schema.type) {
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1)
    case "boolean":
      return true
    case "array":
      return schema.items === undefined ? [] : [sample(name, schema.items, own, template)]
    case "object":
      return fieldsOf(schema, own, template)
    default:
      return fresh().slice(0, schema.maxLength ?? 30)
  }
}

/** Fields whose presence changes the meaning of the others. */
const omitted = new Set(["tenant_id", "expires_at", "created_at", "fallback", "updated_at", "gateway", "pin"])

const fieldsOf = (schema: Json, own: Values, template: string): Fields =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => !omitted.has(name))
      .map(([name, inner]) => [name, sample(name, inner, own, template)])
  )

/** Secrets are no names of things. */
const isSecret = (name: string) => /password|secret|token|^code$|^pin$/.test(name)

/** Names of fields whose values may be of several kinds: ids of several tables, and mail accounts. */
const hasKinds = (name: string) => /(?:^|_)id$|^account$/.test(name)

/** Values of another tenant in a field that pass the check. */
type ForeignValues = (name: string, isValid: (value: string | number) => boolean) => ReadonlyArray<string | number>

/** Body with a foreign value, for each field of any depth. */
const foreign = (schema: Json, body: unknown, values: ForeignValues): ReadonlyArray<readonly [string, unknown]> => {
  const { items, properties } = first(schema)
  if (Array.isArray(body) && items !== undefined && first(items).properties !== undefined)
    return foreign(items, body[0] ?? {}, values).map(([name, inner]) => [name, [inner, ...body.slice(1)]] as const)
  return Object.entries(properties ?? {}).flatMap(([name, inner]) => {
    const fields = (body ?? {}) as Fields
    const isList = first(inner).type === "array"
    const replaced = isSecret(name)
      ? []
      : values(name, (value) => fits(isList ? (first(inner).items ?? {}) : inner, value)).map(
          (value) => [name, { ...fields, [name]: isList ? [value] : value }] as const
        )
    const below = foreign(inner, fields[name], values).map(
      ([path, value]) => [`${name}.${path}`, { ...fields, [name]: value }] as const
    )
    return [...replaced, ...below]
  })
}

const fits = (schema: Json, value: string | number): boolean => {
  const all = schema.anyOf ?? schema.oneOf ?? [schema]
  return all.some(({ type, enum: values }) =>
    values !== undefined
      ? values.includes(value)
      : typeof value === "number"
        ? type === "integer" || type === "number"
        : type === "string"
  )
}

/**
 * Requests of a caller with `own` values: first without, then with single values of `other`. `isWhole`: up to three
 * values for each field, in place of one for a field whose values are all of one kind.
 */
export const requestsOf = (target: Target, own: Values, other: Values, isWhole: boolean): ReadonlyArray<Sent> => {
  const [declared, schema] = Object.entries(target.bodies)[0] ?? [undefined, undefined]
  const type = declared === "multipart/form-data" ? `${declared}; boundary=${boundary}` : declared
  const parameters = target.parameters.filter((parameter) => parameter.in === "query")
  const isBank = target.template.includes("/crm/ebics/")
  const query = Object.fromEntries(
    parameters.flatMap(({ name, required, schema: of }) =>
      name === "limit"
        ? [[name, "200"]]
        : name === "account" && !isBank && own.named("account").length > 0
          ? [[name, String(own.named("account")[0])]]
          : required
            ? [[name, String(sample(name, of, own, target.template))]]
            : []
    )
  )
  const made = bodies[target.name]?.() ?? (schema === undefined ? undefined : sample("", schema, own, target.template))
  const base: Sent = { query, type, body: made, field: undefined }
  const foreignValues: ForeignValues = (name, isValid) => {
    const valid = other.named(name, schemaOf(target)).filter(isValid)
    return isWhole || hasKinds(name) ? valid : valid.slice(0, 1)
  }
  const inQuery = parameters.flatMap(({ name, schema: of }) =>
    [
      ...foreignValues(
        isBank && name === "account" ? "bank_account" : name,
        (value) => fits(of, value) || of.type === undefined
      ),
      ...(fits(of, "") && name !== "limit" ? ["vq7x"] : [])
    ].map((value): Sent => ({ ...base, query: { ...query, [name]: String(value) }, field: `query.${name}` }))
  )
  const inBody =
    schema === undefined || typeof made !== "object"
      ? []
      : foreign(schema, made, foreignValues).map(([name, body]): Sent => ({ ...base, body, field: `body.${name}` }))
  return [base, ...inQuery, ...inBody]
}

/** The body as it is sent. */
export const encoded = ({ body, type }: Sent): string | undefined =>
  body === undefined
    ? undefined
    : typeof body === "string"
      ? body
      : type === "application/x-www-form-urlencoded"
        ? new URLSearchParams(
            Object.entries(body as Fields).map(([name, value]) => [name, String(value)] as [string, string])
          ).toString()
        : JSON.stringify(body)
