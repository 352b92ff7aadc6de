/** Rows of document 3, §4.5: system services. The installation has no container engine and no root helper. */
import type { Row } from "./Row.ts"

const section = "3 §4.5"

export const documentThreeSystem: ReadonlyArray<Row> = [
  { section, endpoint: "GET /api/v1/system/services", as: "user", keeps: { name: "items.0.name" } },
  { section, endpoint: "GET /api/v1/system/services/{name}", as: "user" },
  {
    section,
    endpoint: "POST /api/v1/system/services/{name}/restart",
    as: "user",
    // Nothing may be restarted until WATCHDOG_RESTARTABLE lists it.
    status: 409
  },
  {
    section,
    endpoint: "GET /api/v1/system/services/{name}/logs",
    as: "user",
    in: ["lines"],
    query: () => ({ lines: 10 }),
    // The log of a daemon is that of its unit, and the installation runs without systemd.
    status: 409
  }
]
