/** Texts and fields that several kinds share. */
import { words } from "../../../lib/Language.ts"

export const common = words({
  en: {
    name: "Name",
    domain: "SIP domain",
    domainHint: "Empty: the oldest one.",
    number: "Number",
    enabled: "In use",
    yes: "yes",
    no: "no",
    state: "State",
    off: "disabled",
    on: "in use",
    destination: "Leads to",
    seconds: (count: number) => `${count} s`,
    any: "any"
  },
  de: {
    name: "Name",
    domain: "SIP-Domain",
    domainHint: "Leer: die älteste.",
    number: "Nummer",
    enabled: "In Betrieb",
    yes: "ja",
    no: "nein",
    state: "Zustand",
    off: "abgeschaltet",
    on: "in Betrieb",
    destination: "Führt zu",
    seconds: (count: number) => `${count} s`,
    any: "beliebig"
  }
})

export const nameField = { name: "name", label: () => common().name, input: { kind: "text" }, required: true } as const
export const domainField = {
  name: "domain",
  label: () => common().domain,
  hint: () => common().domainHint,
  input: { kind: "text" }
} as const
export const enabledField = {
  name: "enabled",
  label: () => common().enabled,
  input: { kind: "check" },
  initial: true
} as const
export const domainFilter = { name: "domain", label: () => common().domain } as const
export const numberFilter = { name: "number", label: () => common().number } as const
