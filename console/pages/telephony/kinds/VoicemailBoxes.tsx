import { words } from "../../../lib/Language.ts"
import { kind } from "../Kind.ts"
import { common, domainField, domainFilter, enabledField, nameField, numberFilter } from "./Common.ts"
import { State } from "./Shown.tsx"

const t = words({
  en: {
    title: "Voicemail",
    add: "Add a voicemail box",
    none: "No voicemail box yet. A voicemail box records messages of callers whom nobody answers.",
    hint: "As a rule that of the extension whose calls it takes.",
    email: "Messages go to",
    pin: "PIN made elsewhere",
    pinHint: "As a rule empty: we make one. 6 to 12 digits."
  },
  de: {
    title: "Anrufbeantworter",
    add: "Anrufbeantworter hinzufügen",
    none: "Noch kein Anrufbeantworter. Ein Anrufbeantworter nimmt auf, was Anrufer sagen, wenn niemand abhebt.",
    hint: "In der Regel die der Nebenstelle, deren Anrufe er annimmt.",
    email: "Nachrichten gehen an",
    pin: "Anderswo erzeugte PIN",
    pinHint: "In der Regel leer: wir erzeugen eine. 6 bis 12 Ziffern."
  }
})

export const voicemailBoxes = kind("/api/v1/sip/voicemail-boxes", {
  title: () => t().title,
  add: () => t().add,
  none: () => t().none,
  called: ({ box, name }) => `${box} ${name}`,
  manage: "sip.manage",
  filters: [numberFilter, domainFilter],
  fields: [
    { name: "box", label: () => common().number, hint: () => t().hint, input: { kind: "text" }, required: true },
    nameField,
    domainField,
    { name: "email", label: () => t().email, input: { kind: "text", type: "email" }, nullable: true },
    {
      name: "pin",
      label: () => t().pin,
      hint: () => t().pinHint,
      input: { kind: "secret" },
      needs: "sip.credentials.write"
    },
    enabledField
  ],
  columns: [
    { title: () => common().number, show: ({ box }) => <strong>{box}</strong> },
    { title: () => common().name, show: ({ name }) => name },
    { title: () => common().domain, show: ({ domain }) => domain },
    { title: () => t().email, show: ({ email }) => email ?? "–" },
    { title: () => common().state, show: ({ enabled }) => <State enabled={enabled} /> }
  ]
})
