/** Search in the objects of the console: alarms, customers, invoices, checks, domains. */
import { call } from "../lib/Call.ts"
import { shortMoment } from "../lib/Format.ts"
import { words } from "../lib/Language.ts"
import { isProvider, may, me, type Permission } from "../lib/Me.ts"
import { daemonNames } from "../pages/daemons/Fleet.ts"
import type { Destination } from "./Destinations.ts"

const t = words({
  en: {
    alarm: "Alarm",
    customer: "Customer",
    invoice: "Invoice",
    check: "Check",
    domain: "Domain",
    mail: "Mail domain"
  },
  de: {
    alarm: "Alarm",
    customer: "Kunde",
    invoice: "Rechnung",
    check: "Prüfung",
    domain: "Domain",
    mail: "Mail-Domain"
  }
})

/** Results of one kind. Reason: all kinds fit into the window. */
const each = 5

/** Names that a list without a search is looked through for. Source: the longest page of a list. */
const most = 200

/** Shortest text that is searched for. Unit: characters. Reason: a single letter matches nearly everything. */
export const shortest = 2

interface Source {
  readonly needs: Permission
  readonly provider?: true
  /** Daemon that answers, for one that an installation may lack. */
  readonly daemon?: string
  readonly find: (text: string) => Promise<ReadonlyArray<Destination>>
}

const contains = (name: string, text: string): boolean => name.toLowerCase().includes(text.toLowerCase())

const sources: ReadonlyArray<Source> = [
  {
    needs: "workflows.manage",
    find: async (q) =>
      (await call("GET /api/v1/workflows/runs", { query: { q, workflow: "alarm", limit: each } })).items.map((run) => ({
        href: `/console/alarms/${run.id}`,
        title: run.title,
        group: `${t().alarm} · ${shortMoment(run.received_at)}`,
        icon: "alarm"
      }))
  },
  {
    needs: "customers.read",
    find: async (q) =>
      (await call("GET /api/v1/crm/customers", { query: { q, limit: each } })).items.map(({ name, number }) => ({
        href: `/console/customers/${encodeURIComponent(number)}`,
        title: name,
        group: `${t().customer} · ${number}`,
        icon: "customer"
      }))
  },
  {
    needs: "domains.read",
    find: async (q) =>
      (await call("GET /api/v1/domains", { query: { limit: most } })).items
        .filter(({ display_name, name }) => contains(display_name, q) || contains(name, q))
        .slice(0, each)
        .map(({ display_name, id }) => ({
          href: `/console/domains/${id}`,
          title: display_name,
          group: t().domain,
          icon: "globe"
        }))
  },
  {
    needs: "mail.read",
    find: async (q) =>
      (await call("GET /api/v1/mail/domains", { query: { limit: most } })).items
        .filter(({ domain }) => contains(domain, q))
        .slice(0, each)
        .map(({ domain, id }) => ({
          href: `/console/mail-domains/${id}`,
          title: domain,
          group: t().mail,
          icon: "mail"
        }))
  },
  {
    needs: "ebics.view",
    find: async (q) =>
      (
        await call("GET /api/v1/crm/invoices", {
          query: { q, limit: each, tenant_id: String(me.value?.tenant_id ?? "") }
        })
      ).items.map(({ id, number }) => ({
        href: `/console/bank/invoices/${id}`,
        title: number,
        group: t().invoice,
        icon: "bank"
      }))
  },
  {
    needs: "system.read",
    provider: true,
    daemon: "watchdog",
    find: async (q) =>
      (await call("GET /api/v1/monitoring/checks", { query: { q, limit: each } })).items.map(({ id, key }) => ({
        href: `/console/operations/checks/${id}`,
        title: key,
        group: t().check,
        icon: "operations"
      }))
  }
]

let known: Promise<ReadonlyArray<string>> | undefined

/** Names of the installation's daemons, asked once. */
const running = (): Promise<ReadonlyArray<string>> =>
  (known ??= daemonNames().catch(() => {
    known = undefined
    return []
  }))

/** Found objects, in the order of the kinds. A kind that cannot be asked is left out. */
export const search = async (text: string): Promise<ReadonlyArray<Destination>> => {
  const open = sources.filter(({ needs, provider }) => may(needs) && (provider === undefined || isProvider()))
  const daemons = open.some(({ daemon }) => daemon !== undefined) ? await running() : []
  const asked = open.filter(({ daemon }) => daemon === undefined || daemons.includes(daemon))
  const found = await Promise.allSettled(asked.map(({ find }) => find(text)))
  return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []))
}
