/** Demonstration data of every part, made through the API. A part that fails is reported and left out. */
import { createHmac } from "node:crypto"
import { camt053, ownIban } from "../../tests/support/bank/StatementFiles.ts"
import type { MailServer } from "./MailServer.ts"
import { type Ask, paymentSecret, type Place } from "./Place.ts"
import type { Examples } from "./Shots.ts"
import { recordings, training } from "./WakeWordData.ts"

/** The day `ago` days before today in UTC, ISO 8601. */
const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

interface Ground {
  readonly place: Place
  /** Ids of the users whose pages are taken. */
  readonly userIds: ReadonlyArray<number>
  /** Address of a webhook receiver; `/gone` refuses. */
  readonly webhook: string
  /** Undefined when none is installed. */
  readonly mailServer: MailServer | undefined
}

/** Customer of the domains, as soon as there is one. */
let customerId = 1

type Part = (ground: Ground) => Promise<Examples>

const alarms: Part = async ({ place: { ask }, webhook }) => {
  const send = (subject: string, body: string) =>
    ask("POST", "/api/v1/workflows/trigger", {
      event_type: "email.alarm.received",
      payload: { email_subject: subject, email_body: body, email_from: "guard@example.org" }
    })
  await ask("PUT", "/api/v1/settings/platform/SIGNALBOX_ALARM_ALLOWED_DOMAINS", { value: "example.org" })
  await ask("PUT", "/api/v1/settings/platform/SIGNALBOX_WEBHOOK_ALLOW_CIDRS", { value: "127.0.0.0/8" })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await send(`INFO:WEBHOOK+${webhook}/nightly`, "Nightly export finished\n1,204 rows.")
  await send(`WARNING:WEBHOOK+${webhook}/gone`, "Battery of the UPS is at 40 %\nChange it soon.")
  const { run_id } = await send(
    `CRITICAL:WEBHOOK+${webhook}/pager;WEBHOOK+${webhook}/gone`,
    "Cold room at 9 °C\nLimit is 4 °C. Check the door."
  )
  return { "/alarms/:id": run_id, "/workflows/:name": "alarm" }
}

const notifications: Part = async ({ place: { ask }, userIds }) => {
  for (const [severity, category, title, body] of [
    ["success", "payment", "Payment received: 119,00 €", "Invoice 2026-0815 is paid."],
    ["warning", "security", "Sign-in from a new address", "From 203.0.113.7, Firefox on Linux."],
    ["info", "system", "Maintenance on Sunday", "Between 02:00 and 03:00 the mail server restarts."]
  ] as const)
    for (const user_id of userIds)
      await ask("POST", "/api/v1/notifications", { user_id, type: "system.update", category, severity, title, body })
  return {}
}

const people: Part = async ({ place: { ask } }) => {
  await ask("POST", "/api/v1/tenants", { name: "Bäckerei Sommer GmbH" })
  const made = await ask("POST", "/api/v1/users", {
    email: "carla.sommer@example.org",
    name: "Carla Sommer",
    role: "customer",
    locale: "de",
    tenant_id: 1
  })
  const { id } = await ask("POST", "/api/v1/crm/customers", {
    number: "K-4711",
    name: "Bäckerei Sommer GmbH",
    tenant_id: 1
  })
  customerId = id
  await ask("POST", "/api/v1/crm/customers", { number: "K-4712", name: "Bau und Boden GmbH", tenant_id: 1 })
  return { "/users/:id": made.id, "/customers/:number": "K-4711" }
}

const telephones: Part = async ({ place: { ask } }) => {
  const make = (path: string, body: object) => ask("POST", `/api/v1/sip/${path}`, body)
  const domain = "voice.example.org"
  const ann = await make("extensions", { extension: "1001", name: "Ann", domain })
  await make("extensions", { extension: "1012", name: "Ben", domain, enabled: false })
  const trunk = await make("trunks", { name: "Provider", host: "sip.provider.test", networks: ["192.0.2.0/24"] })
  const group = await make("ring-groups", {
    name: "Sales",
    domain,
    number: "21",
    strategy: "sequence",
    ring_timeout: 20,
    extensions: ["1001", "1012"]
  })
  const did = await make("dids", {
    number: "+49301235550",
    name: "Main",
    destination_type: "ring_group",
    destination_id: group.id,
    trunk_id: trunk.id
  })
  await make("lines", { extension_id: ann.id, trunk_id: trunk.id, did_id: did.id })
  await make("call-filters", { name: "Pests", type: "blacklist", pattern: "+4987*" })
  return { "/numbers/:section": "ring-groups" }
}

const mail: Part = async ({ place: { ask } }) => {
  const { id } = await ask("POST", "/api/v1/mail/domains", { domain: "mail.example.org", customer_id: customerId })
  await ask("POST", `/api/v1/mail/domains/${id}/accounts`, { local_part: "info", password: "four words in a row" })
  await ask("POST", `/api/v1/mail/domains/${id}/aliases`, { source: "office", destination: "anna@example.net" })
  return { "/mail-domains/:id": id }
}

const webmail: Part = async ({ mailServer, place: { ask }, userIds }) => (await mailServer?.fill(ask, userIds)) ?? {}

const domains: Part = async ({ place: { ask } }) => {
  await ask("POST", "/api/v1/dns-providers", { customer_id: customerId, name: "By hand", type: "manual" }).catch(
    report("dns-providers")
  )
  const { id } = await ask("POST", "/api/v1/domains", { name: "sommer.example.com", customer_id: customerId })
  return { "/domains/:id": id }
}

const devices: Part = async ({ place: { ask }, userIds }) => {
  for (const user_id of userIds) {
    await ask("POST", "/api/v1/provisioning/client-tokens", { user_id, label: "Laptop" })
    const { link } = await ask("POST", "/api/v1/provisioning/client-tokens", { user_id, label: "Phone" })
    await fetch(link as string)
  }
  return {}
}

const bank: Part = async ({ place: { ask } }) => {
  const account = await ask("POST", "/api/v1/crm/ebics/accounts", { name: "Business account", iban: ownIban })
  const invoice = async (number: string, amount: string) =>
    ask("POST", "/api/v1/crm/invoices", { number, amount, issued_on: day(10), due_on: day(-4) })
  const first = await invoice("RE-2026-0042", "119.00")
  await invoice("RE-2026-0043", "59.50")
  const payment = await ask("POST", "/api/v1/crm/payments", {
    amount: "5.00",
    currency: "EUR",
    paid_on: day(1),
    allocations: [{ invoice_number: "RE-2026-0043" }]
  })
  const statement = camt053({
    day: day(3),
    number: 17,
    opening: "1000.00",
    bookings: [
      { amount: "119.00", text: "Rechnung RE-2026-0042, danke", name: "Erika Muster" },
      { amount: "54.50", text: "Vielen Dank", name: "Max Beispiel" },
      { amount: "-3.90", text: "Kontoentgelt" }
    ]
  })
  await ask("POST", "/api/v1/crm/ebics/statements/import", statement)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const { items } = await ask("GET", "/api/v1/crm/ebics/statements")
  return {
    "/bank/accounts/:uuid": account.id,
    "/bank/invoices/:uuid": first.id,
    "/bank/payments/:uuid": payment.id,
    "/bank/statements/:uuid": items[0]?.id
  }
}

const paymentEvents: Part = async ({ place: { ask, base } }) => {
  const events = [
    { id: "evt_1", type: "payment.succeeded", data: { amount: "59.50", currency: "EUR", payment_id: "pay_1" } },
    { id: "evt_2", type: "payout.created", data: { amount: "420.00", currency: "EUR" } }
  ]
  for (const event of events) {
    const body = JSON.stringify(event)
    const signature = createHmac("sha256", paymentSecret).update(body).digest("hex")
    const headers = { "content-type": "application/json", "x-webhook-signature": signature }
    const answer = await fetch(`${base}/api/v1/payments/webhooks/card`, { method: "POST", headers, body })
    if (!answer.ok) throw new Error(`payment event: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
  }
  const { items } = await ask("GET", "/api/v1/payments/webhook-events")
  return { "/bank/payments/events/:uuid": items[0]?.id }
}

/** Longest wait for something that daemons do by themselves, and time between looks. Unit: milliseconds. */
const [patience, look] = [30_000, 500]

/** First item of a list, as soon as it has one. */
const firstOf = async (ask: Ask, path: string): Promise<any> => {
  for (const until = Date.now() + patience; Date.now() < until;) {
    const { items } = await ask("GET", path)
    if (items.length > 0) return items[0]
    await new Promise((resolve) => setTimeout(resolve, look))
  }
  return undefined
}

const operations: Part = async ({ place: { ask } }) => {
  const { id } = await ask("POST", "/api/v1/monitoring/checks", {
    name: "old printer",
    definition: { type: "tcp", host: "127.0.0.1", port: 1 },
    failures: 1
  })
  await ask("POST", "/api/v1/backups/schedules", { name: "Every night", cron: "0 3 * * *", type: "full" }).catch(
    report("backups")
  )
  await ask("POST", "/api/v1/security/exemptions", {
    address: "192.0.2.7",
    reason: "Office",
    duration_s: 86_400
  }).catch(report("exemptions"))
  const alert = await firstOf(ask, "/api/v1/monitoring/alerts")
  const service = await firstOf(ask, "/api/v1/system/services?kind=daemon")
  return {
    "/operations/checks/:id": id,
    "/operations/alerts/:id": alert?.id,
    "/operations/services/:name": service?.name
  }
}

const edge: Part = async ({ place: { ask } }) => {
  await ask("POST", "/api/v1/edge/routes", {
    host: "wiki.example.org",
    path: "/",
    role: "user",
    description: "Handbook"
  })
  await ask("POST", "/api/v1/edge/routes", { host: "metrics.example.org", path: "/admin", role: "admin" })
  await ask("POST", "/api/v1/edge/users", { name: "Carla Sommer", email: "carla.sommer@example.org", role: "user" })
  return {}
}

const status: Part = async ({ place: { ask }, webhook }) => {
  const components = [
    { id: "webmail", name: "Webmail", name_en: "Webmail", checks: [{ type: "http", url: `${webhook}/webmail` }] },
    { id: "phone", name: "Telefonie", name_en: "Telephony", checks: [{ type: "tcp", host: "127.0.0.1", port: 1 }] },
    { id: "office", name: "Büro und Beratung", name_en: "Office and support", checks: [] }
  ]
  for (const component of components)
    await ask("POST", "/api/v1/admin/components", { group: "Kunden", group_en: "Customers", ...component })
  await ask("POST", "/api/v1/admin/checks")
  const incident = await ask("POST", "/api/v1/admin/incidents", {
    title: "Mails kommen verspätet",
    title_en: "Mails are late",
    severity: "minor",
    components: [],
    message: "Wir suchen die Ursache.",
    message_en: "We look for the cause."
  })
  return { "/operations/status/incidents/:id": incident.id }
}

const report = (part: string) => (error: unknown) =>
  void process.stderr.write(`no demonstration data of ${part}: ${error instanceof Error ? error.message : error}\n`)

/** Makes all data. Returns the values for parameters of routes. */
export const demoData = async (ground: Ground): Promise<Examples> => {
  const parts = {
    alarms,
    notifications,
    people,
    telephones,
    mail,
    webmail,
    domains,
    devices,
    bank,
    paymentEvents,
    recordings: ({ place: { ask } }: Ground) => recordings(ask),
    operations,
    edge,
    status
  }
  const examples: Array<Examples> = [{ "/languages/:locale": "de" }]
  const trained = await training(ground.place.ask).catch(report("wake-word models"))
  for (const [name, make] of Object.entries(parts)) {
    const made = await make(ground).catch(report(name))
    if (made !== undefined) examples.push(made)
  }
  const model = await trained?.().catch(report("wake-word models"))
  if (model !== undefined) examples.push(model)
  return Object.assign({}, ...examples) as Examples
}

/** Routes that `demoData` gives a value. */
export const routesWithExample = [
  "/alarms/:id",
  "/workflows/:name",
  "/users/:id",
  "/customers/:number",
  "/numbers/:section",
  "/mail-domains/:id",
  "/mail/:folder",
  "/mail/:folder/:uid",
  "/domains/:id",
  "/bank/accounts/:uuid",
  "/bank/invoices/:uuid",
  "/bank/payments/:uuid",
  "/bank/statements/:uuid",
  "/bank/payments/events/:uuid",
  "/wake-word/models/:name",
  "/wake-word/recordings/:word",
  "/operations/checks/:id",
  "/operations/alerts/:id",
  "/operations/services/:name",
  "/operations/status/incidents/:id",
  "/languages/:locale"
] as const
