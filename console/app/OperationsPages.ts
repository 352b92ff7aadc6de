/** Pages of the provider's machines, below `/operations`. */
import type { Permission } from "../lib/Me.ts"
import type { PageEntry } from "./PageEntry.ts"

/** Permission and loader by path below `/operations`. */
const pages: Readonly<Record<string, readonly [Permission, PageEntry["load"]]>> = {
  services: ["system.read", () => import("../pages/operations/services/Page.tsx")],
  "services/:name": ["system.read", () => import("../pages/operations/services/Service.tsx")],
  status: ["system.read", () => import("../pages/operations/status/Page.tsx")],
  "status/incidents/:id": ["system.read", () => import("../pages/operations/status/Incident.tsx")],
  checks: ["system.read", () => import("../pages/operations/checks/Page.tsx")],
  "checks/:id": ["system.read", () => import("../pages/operations/checks/Check.tsx")],
  alerts: ["system.read", () => import("../pages/operations/alerts/Page.tsx")],
  "alerts/:id": ["system.read", () => import("../pages/operations/alerts/Alert.tsx")],
  backups: ["backups.read", () => import("../pages/operations/backups/Page.tsx")],
  bans: ["security.read", () => import("../pages/operations/bans/Page.tsx")],
  edge: ["security.read", () => import("../pages/operations/edge/Page.tsx")],
  settings: ["settings.manage", () => import("../pages/operations/settings/Page.tsx")]
}

export const operationsPages: ReadonlyArray<PageEntry> = Object.entries(pages).map(([path, [needs, load]]) => ({
  path: `/operations/${path}`,
  load,
  needs,
  provider: true
}))
