/** Description of signatures for the shared list and form. */
import { words } from "../../lib/Language.ts"
import { Badge } from "../../parts/Badge.tsx"
import { MailFrame } from "../mail/MailFrame.tsx"
import { kind } from "../telephony/Kind.ts"
import { htmlOf, ruleOf, textOf } from "./SignatureText.ts"

const t = words({
  en: {
    title: "Signatures",
    add: "Add a signature",
    none: "No signatures yet",
    about:
      "A signature is added below the mails you send. Rules choose it by the recipient; the default goes to everybody " +
      "else.",
    name: "Name",
    text: "Text",
    textHint: "Lines of text, or HTML",
    standard: "Default for recipients without a rule",
    isDefault: "default",
    rules: "Only for these recipients",
    rulesHint: "An address, a domain such as example.org, or *.example.org for its subdomains",
    addRule: "Add a recipient",
    preview: "Signature",
    everybody: "nobody by rule",
    loses: "The signature and its rules are deleted and cannot be restored. Sent mails keep it."
  },
  de: {
    title: "Signaturen",
    add: "Signatur hinzufügen",
    none: "Noch keine Signaturen",
    about:
      "Eine Signatur steht unter den Mails, die Sie senden. Regeln wählen sie nach dem Empfänger; alle anderen " +
      "bekommen die Standard-Signatur.",
    name: "Name",
    text: "Text",
    textHint: "Zeilen Text oder HTML",
    standard: "Standard für Empfänger ohne Regel",
    isDefault: "Standard",
    rules: "Nur für diese Empfänger",
    rulesHint: "Eine Adresse, eine Domain wie example.org, oder *.example.org für ihre Subdomains",
    addRule: "Empfänger hinzufügen",
    preview: "Signatur",
    everybody: "niemand durch eine Regel",
    loses:
      "Die Signatur wird mit ihren Regeln gelöscht und lässt sich nicht wiederherstellen. Gesendete Mails behalten sie."
  }
})

/** Signatures of the account with this id; of the default account without one. */
export const signaturesOf = (account: string | undefined) =>
  kind("/api/v1/mail/signatures", {
    query: { account },
    title: () => t().title,
    add: () => t().add,
    none: () => t().none,
    about: () => t().about,
    called: ({ name }) => name,
    loses: () => t().loses,
    manage: "webmail.use",
    inForm: {
      from: ({ html, is_default, name, rules }) => ({
        name,
        html: textOf(html),
        is_default,
        rules: rules.map(({ match_value }) => match_value)
      }),
      to: ({ html, rules, ...rest }) => ({
        ...rest,
        ...(html === undefined ? {} : { html: htmlOf(String(html)) }),
        ...(rules === undefined ? {} : { rules: (rules as ReadonlyArray<string>).map(ruleOf) })
      })
    },
    fields: [
      { name: "name", label: () => t().name, input: { kind: "text" }, required: true },
      {
        name: "html",
        label: () => t().text,
        hint: () => t().textHint,
        input: { kind: "area", rows: 5 },
        required: true
      },
      {
        name: "rules",
        label: () => t().rules,
        hint: () => t().rulesHint,
        input: { kind: "list", add: () => t().addRule, ordered: false }
      },
      { name: "is_default", label: () => t().standard, input: { kind: "check" } }
    ],
    columns: [
      {
        title: () => t().name,
        show: ({ is_default, name }) => (
          <>
            <strong>{name}</strong> {is_default ? <Badge tone="info">{t().isDefault}</Badge> : null}
          </>
        )
      },
      {
        title: () => t().rules,
        show: ({ rules }) =>
          rules.length === 0
            ? t().everybody
            : rules.map(({ match_value }) => <div key={match_value}>{match_value}</div>)
      },
      {
        title: () => t().preview,
        show: ({ html, name }) => <MailFrame html={html} label={`${t().preview}: ${name}`} remote={false} />
      }
    ]
  })
