import { Result } from "effect"
import { containerSettings } from "#core/config/ContainerSettings.ts"
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { second } from "../alerting/Exports.ts"
import { parseCritical } from "./CriticalServices.ts"
import { defaultUnits } from "./ServicePatterns.ts"

/** Variables that other texts name. */
export const restartableVariable = "WATCHDOG_RESTARTABLE"
export const criticalVariable = "WATCHDOG_CRITICAL"

/** A name or pattern: `web`, `nginx.service`, `signalbox@*.service`, `container:web`. */
const check = (item: string) =>
  /^((container|unit|daemon):)?[a-zA-Z0-9*][a-zA-Z0-9*:_.@\\-]{0,254}$/.test(item)
    ? undefined
    : `"${item.slice(0, 40)}" is no name of a container, unit or daemon`

export const serviceSettings = {
  ...containerSettings,
  second,
  units: Settings.list("WATCHDOG_UNITS", {
    doc: "Systemd units that the list of services shows and whose logs may be read; * stands for any characters",
    default: defaultUnits,
    check
  }),
  restartable: Settings.list(restartableVariable, {
    doc: "Containers, units and own daemons that may be restarted; * stands for any characters",
    default: [],
    check
  }),
  critical: Settings.parsed(
    criticalVariable,
    {
      doc:
        "Containers, units and own daemons that the watchdog restarts when they fail, dependencies in parentheses: " +
        "`db.service, web(db.service)`. They may be restarted by people too",
      default: [],
      shown: "empty"
    },
    (raw) => {
      const parsed = parseCritical(raw)
      return typeof parsed === "string" ? Result.fail(parsed) : Result.succeed(parsed)
    }
  ),
  rootSocket: Settings.text("WATCHDOG_ROOT_SOCKET", {
    doc: "Socket of the root helper, which restarts units and containers and reads logs of units",
    default: "/run/signalbox-watchdog-root.sock"
  }),
  restartInterval: Settings.integer("WATCHDOG_RESTART_INTERVAL", {
    doc: "Interval between two looks at the critical services",
    unit: "seconds",
    default: 30,
    min: 1,
    max: 3_600
  }),
  restartAfter: Settings.integer("WATCHDOG_RESTART_AFTER", {
    doc: "How long a critical service must fail before it is restarted",
    unit: "seconds",
    default: 60,
    min: 0,
    max: 3_600
  }),
  restartPatience: Settings.integer("WATCHDOG_RESTART_PATIENCE", {
    doc: "How long a restarted service may take to become healthy",
    unit: "seconds",
    default: 120,
    min: 1,
    max: 3_600
  }),
  restartBudget: Settings.integer("WATCHDOG_RESTART_BUDGET", {
    doc: "Restarts of one critical service within the window, after which the watchdog stops and alerts a person",
    unit: "restarts",
    default: 3,
    min: 1,
    max: 100
  }),
  restartWindow: Settings.integer("WATCHDOG_RESTART_WINDOW", {
    doc: "Window of the budget of restarts",
    unit: "minutes",
    default: 60,
    min: 1,
    max: 10_080
  })
}

export type ServiceConfig = Values<typeof serviceSettings>
