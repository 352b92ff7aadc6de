/** Words of bans in both languages. */
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"

export type Decision = Answer<"GET /api/v1/security/decisions">["items"][number]
export type Exemption = Answer<"GET /api/v1/security/exemptions">["items"][number]
export type Incident = Answer<"GET /api/v1/security/alerts">["items"][number]
export type CrowdSec = Answer<"GET /api/v1/security/decisions">["crowdsec"]

export const sources = ["own", "crowdsec"] as const
export const kinds = ["ban", "lift", "exemption", "exemption_end", "offence"] as const

export const banWords = words({
  en: {
    own: "our own",
    crowdsec: "CrowdSec",
    manual: "by hand",
    "sip-brute-force": "SIP passwords guessed",
    "sip-scanner": "SIP scanner",
    "websocket-abuse": "WebSocket abuse",
    "mail-brute-force": "mail passwords guessed",
    "mail-spam": "spam sent",
    "mail-spam-sender": "spam sent",
    ban: "banned",
    lift: "lifted",
    exemption: "exempted",
    exemption_end: "exemption ended",
    offence: "offence"
  },
  de: {
    own: "unsere eigenen",
    crowdsec: "CrowdSec",
    manual: "von Hand",
    "sip-brute-force": "SIP-Passwörter geraten",
    "sip-scanner": "SIP-Scanner",
    "websocket-abuse": "WebSocket-Missbrauch",
    "mail-brute-force": "Mail-Passwörter geraten",
    "mail-spam": "Spam verschickt",
    "mail-spam-sender": "Spam verschickt",
    ban: "gesperrt",
    lift: "aufgehoben",
    exemption: "ausgenommen",
    exemption_end: "Ausnahme beendet",
    offence: "Verstoß"
  }
})

/** Text of a rule; a scenario of CrowdSec is shown as it is. */
export const ruleText = (rule: string): string => (banWords() as Readonly<Record<string, string>>)[rule] ?? rule
