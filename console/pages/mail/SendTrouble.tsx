import { words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"

const t = words({
  en: {
    unreachable: "No answer came. Press “Send” again: the same mail is not sent twice.",
    unknown:
      "The connection broke after the mail was handed over, so nobody knows whether it was sent. Look in the folder of sent mail before you write it anew.",
    refused: "The mail server takes it for none of its recipients. Nothing was sent.",
    fast: "This account has sent a lot just now. Nothing was sent; try again in ten minutes.",
    large: "The mail with its files is too large. Nothing was sent.",
    server: "The mail server does not answer. Nothing was sent; try again later.",
    underWay: "This mail is being sent at this moment.",
    fields: "Some fields are invalid:",
    not: (text: string) => `It was not sent: ${text}`
  },
  de: {
    unreachable:
      "Es kam keine Antwort. Bitte noch einmal auf „Senden“ drücken: Dieselbe Mail geht nicht zweimal hinaus.",
    unknown:
      "Die Verbindung brach ab, nachdem die Mail übergeben war; ob sie gesendet wurde, weiß niemand. Bitte im Ordner der gesendeten Mails nachsehen, bevor Sie sie neu schreiben.",
    refused: "Der Mailserver nimmt sie für keinen der Empfänger an. Es wurde nichts gesendet.",
    fast: "Dieses Konto hat gerade sehr viel gesendet. Es wurde nichts gesendet; bitte in zehn Minuten noch einmal versuchen.",
    large: "Die Mail ist mit ihren Dateien zu groß. Es wurde nichts gesendet.",
    server: "Der Mailserver antwortet nicht. Es wurde nichts gesendet; bitte später noch einmal versuchen.",
    underWay: "Diese Mail wird gerade gesendet.",
    fields: "Einige Angaben sind ungültig:",
    not: (text: string) => `Sie wurde nicht gesendet: ${text}`
  }
})

const told = ({ code, message, status }: Problem): string =>
  status === 0
    ? t().unreachable
    : code === "sending_outcome_unknown"
      ? t().unknown
      : code === "recipients_refused"
        ? t().refused
        : code === "sending_too_fast"
          ? t().fast
          : code === "too_large"
            ? t().large
            : code === "mail_server_unavailable"
              ? t().server
              : code === "sending_under_way"
                ? t().underWay
                : code === "nobody" || code === "moving"
                  ? message
                  : status === 422
                    ? t().fields
                    : t().not(message)

interface Detail {
  readonly name: string
  readonly text: string
}

const listed = (value: unknown, name: string, text: string): ReadonlyArray<Detail> =>
  Array.isArray(value)
    ? value.map((one: Record<string, unknown>) => ({ name: String(one[name]), text: String(one[text]) }))
    : []

/** Reason why a mail was not sent, and whether a retry is possible. */
export const SendTrouble = ({ problem }: { readonly problem: Problem | undefined }) => {
  const details =
    problem === undefined
      ? []
      : [
          ...listed(problem.fields["errors"], "field", "message"),
          ...listed(problem.fields["rejected"], "address", "detail")
        ]
  return (
    <div role="alert" class={problem === undefined ? "" : "trouble"}>
      {problem === undefined ? null : <p>{told(problem)}</p>}
      {details.length === 0 ? null : (
        <ul>
          {details.map(({ name, text }) => (
            <li key={name}>
              <code>{name}</code>: {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
