/** Words that the cards of edge-auth share. */
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import type { Tone } from "../../../parts/Badge.tsx"

export type EdgeUser = Answer<"GET /api/v1/edge/users">["items"][number]
export type EdgeRoute = Answer<"GET /api/v1/edge/routes">["items"][number]
export type Coverage = Answer<"GET /api/v1/edge/coverage">
export type HostState = Coverage["hosts"][number]["state"]

export const edgeWords = words({
  en: {
    user: "User",
    admin: "Administrator",
    pending: "waits for approval",
    active: "active",
    blocked: "blocked",
    protected: "protected",
    partly: "protected in part",
    denied: "for signed-in users only",
    no_route: "open: no route is on",
    no_check: "open: the proxy does not ask",
    not_asked: "perhaps open: no proxy has asked",
    on: "on",
    off: "off",
    role: "Role",
    host: "Host",
    path: "Path",
    state: "State",
    actions: "Actions",
    change: "Change",
    delete: "Delete"
  },
  de: {
    user: "Benutzer",
    admin: "Administration",
    pending: "wartet auf Freigabe",
    active: "aktiv",
    blocked: "gesperrt",
    protected: "geschützt",
    partly: "teilweise geschützt",
    denied: "nur für Angemeldete",
    no_route: "offen: keine Route eingeschaltet",
    no_check: "offen: der Proxy fragt nicht",
    not_asked: "vielleicht offen: noch hat kein Proxy gefragt",
    on: "ein",
    off: "aus",
    role: "Rolle",
    host: "Host",
    path: "Pfad",
    state: "Zustand",
    actions: "Aktionen",
    change: "Ändern",
    delete: "Löschen"
  }
})

/** Colour of a host's state: what is open is an error. */
export const hostTone = (state: HostState): Tone =>
  state === "protected" || state === "denied"
    ? "success"
    : state === "partly" || state === "not_asked"
      ? "warning"
      : "error"

export const userTone = (status: EdgeUser["status"]): Tone =>
  status === "active" ? "success" : status === "pending" ? "warning" : "quiet"

/** Choices of a role in a form. */
export const roleOptions = [
  ["user", () => edgeWords().user],
  ["admin", () => edgeWords().admin]
] as const
