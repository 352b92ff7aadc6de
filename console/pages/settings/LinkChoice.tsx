import { words } from "../../lib/Language.ts"
import { choose, handlers, type Handlers } from "../../lib/LinkHandlers.ts"
import { Outcome } from "./Outcome.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { undoable } from "../../lib/Undo.ts"
import { undoWords } from "../../lib/UndoWords.ts"

const t = words({
  en: {
    title: "Links",
    mail_handler: "Mail addresses open",
    call_handler: "Telephone numbers open",
    ask: "after a question",
    internal: "in Signalbox",
    system: "in this computer's program",
    saved: "Saved."
  },
  de: {
    title: "Links",
    mail_handler: "E-Mail-Adressen öffnen sich",
    call_handler: "Telefonnummern öffnen sich",
    ask: "nach einer Frage",
    internal: "in Signalbox",
    system: "im Programm dieses Computers",
    saved: "Gespeichert."
  }
})

const choices = ["ask", "internal", "system"] as const

/** Which program opens mail addresses and telephone numbers. */
export const LinkChoice = () => {
  const doing = useDoing()
  const select = (key: keyof Handlers) => (
    <label>
      {t()[key]}{" "}
      <select
        value={handlers.value[key]}
        disabled={doing.busy.value}
        onChange={({ currentTarget }) => {
          const chosen = choices.find((choice) => choice === currentTarget.value) ?? "ask"
          const before = handlers.value[key]
          void doing.run(() =>
            undoable(
              () => choose({ [key]: chosen }),
              () => undoWords().changed(t()[key]),
              () => choose({ [key]: before })
            )
          )
        }}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {t()[choice]}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <section class="card" aria-labelledby="links">
      <h2 id="links">{t().title}</h2>
      <p>{select("mail_handler")}</p>
      <p>{select("call_handler")}</p>
      <Outcome of={doing} done={t().saved} />
    </section>
  )
}
