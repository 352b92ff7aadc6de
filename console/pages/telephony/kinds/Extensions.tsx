import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { kind } from "../Kind.ts"
import { common, domainFilter, enabledField, nameField, numberFilter } from "./Common.ts"
import { remarksOf } from "./NumberPlan.ts"
import { State } from "./Shown.tsx"

const t = words({
  en: {
    title: "Extensions",
    add: "Add an extension",
    none: "No extension yet. An extension is a phone or softphone with an internal number and a password.",
    number: "Number",
    numberHint: "Digits, or a name of letters, digits, - and _",
    domainHint: "Such as voice.example.org",
    user: "Belongs to",
    nobody: "nobody",
    password: "Password made elsewhere",
    passwordHint: "As a rule empty: we make one. At least 12 characters.",
    plan: "Number plan",
    kinds: {
      employee: "employee",
      line: "line",
      short: "short number",
      webrtc: "WebRTC",
      test: "test",
      other: "outside the plan"
    },
    odd: "check",
    pending: "waits for proof"
  },
  de: {
    title: "Nebenstellen",
    add: "Nebenstelle hinzufügen",
    none: "Noch keine Nebenstelle. Eine Nebenstelle ist ein Telefon oder Softphone mit interner Nummer und Passwort.",
    number: "Nummer",
    numberHint: "Ziffern, oder ein Name aus Buchstaben, Ziffern, - und _",
    domainHint: "Etwa voice.example.org",
    user: "Gehört",
    nobody: "niemandem",
    password: "Anderswo erzeugtes Passwort",
    passwordHint: "In der Regel leer: wir erzeugen eines. Mindestens 12 Zeichen.",
    plan: "Nummernplan",
    kinds: {
      employee: "Mitarbeiter",
      line: "Leitung",
      short: "Kurzwahl",
      webrtc: "WebRTC",
      test: "Test",
      other: "außerhalb des Plans"
    },
    odd: "prüfen",
    pending: "wartet auf Nachweis"
  }
})

export const extensions = kind("/api/v1/sip/extensions", {
  title: () => t().title,
  add: () => t().add,
  none: () => t().none,
  called: ({ extension, name }) => `${extension} ${name}`,
  manage: "sip.manage",
  filters: [numberFilter, domainFilter],
  fields: [
    { name: "extension", label: () => t().number, hint: () => t().numberHint, input: { kind: "text" }, required: true },
    nameField,
    {
      name: "domain",
      label: () => common().domain,
      hint: () => t().domainHint,
      input: { kind: "text" },
      required: true
    },
    {
      name: "user_id",
      label: () => t().user,
      input: { kind: "thing", of: "user", none: () => t().nobody },
      nullable: true
    },
    {
      name: "password",
      label: () => t().password,
      hint: () => t().passwordHint,
      input: { kind: "secret" },
      needs: "sip.credentials.write"
    },
    enabledField
  ],
  columns: [
    { title: () => t().number, show: ({ extension }) => <strong>{extension}</strong> },
    { title: () => common().name, show: ({ name }) => name },
    {
      title: () => common().domain,
      show: ({ domain, domain_state }) => (
        <>
          {domain} {domain_state === "pending" ? <Badge tone="warning">{t().pending}</Badge> : null}
        </>
      )
    },
    {
      title: () => t().plan,
      show: (row) => (
        <>
          {t().kinds[row.kind]}{" "}
          {row.warnings.length === 0 ? null : (
            <>
              <Badge tone="warning">{t().odd}</Badge>
              {remarksOf(row).map((text) => (
                <small key={text} class="block">
                  {text}
                </small>
              ))}
            </>
          )}
        </>
      )
    },
    { title: () => common().state, show: ({ enabled }) => <State enabled={enabled} /> }
  ]
})
