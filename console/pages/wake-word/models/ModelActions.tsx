import { words } from "../../../lib/Language.ts"
import { Dialog } from "../../../parts/Dialog.tsx"
import { Sure } from "../../mail/Sure.tsx"
import { said } from "../Said.ts"
import { Refused } from "../Refusals.ts"
import type { Model } from "../Shapes.ts"
import type { Activation } from "./useActivation.ts"

const t = words({
  en: {
    activate: "Activate",
    deactivate: "Deactivate",
    remove: "Delete",
    sureOff: "Really? Then nothing listens.",
    sureRemove: "Really delete?",
    title: (name: string) => `${name} is not good enough`,
    because: "The model does not reach the bounds for activation:",
    anyway:
      "You can activate it anyway, for example for a trial. It is then active for all users, and the audit log shows " +
      "who did it.",
    better: "Better: train with the full size, or record the word with several people.",
    force: "Activate anyway",
    leave: "Cancel"
  },
  de: {
    activate: "Aktivieren",
    deactivate: "Deaktivieren",
    remove: "Löschen",
    sureOff: "Wirklich? Dann hört nichts mehr zu.",
    sureRemove: "Wirklich löschen?",
    title: (name: string) => `${name} ist nicht gut genug`,
    because: "Das Modell erreicht die Grenzen zum Aktivieren nicht:",
    anyway:
      "Sie können es trotzdem aktivieren, etwa für einen Versuch. Es ist dann für alle Benutzer aktiv, und das " +
      "Protokoll zeigt, wer es getan hat.",
    better: "Besser: mit vollem Umfang trainieren oder das Wort von mehreren Menschen aufnehmen.",
    force: "Trotzdem aktivieren",
    leave: "Abbrechen"
  }
})

/** Buttons of a model. Only an inactive model can be deleted. */
export const ModelActions = ({
  activation: { activate, deactivate, doing, remove },
  of: { active, name }
}: {
  readonly of: Model
  readonly activation: Activation
}) => (
  <div class="page-actions">
    {active ? (
      <Sure sure={t().sureOff} disabled={doing.busy.value} onSure={() => deactivate(name)}>
        {t().deactivate}
        <span class="sr">: {name}</span>
      </Sure>
    ) : (
      <>
        <button type="button" disabled={doing.busy.value} onClick={() => activate(name)}>
          {t().activate}
          <span class="sr">: {name}</span>
        </button>
        <Sure sure={t().sureRemove} disabled={doing.busy.value} onSure={() => remove(name)}>
          {t().remove}
          <span class="sr">: {name}</span>
        </Sure>
      </>
    )}
  </div>
)

/** Explains why the gate refused a model, and offers to activate it anyway. */
export const GateDialog = ({ activation: { activate, doing, refused } }: { readonly activation: Activation }) => {
  const refusal = refused.value
  if (refusal === undefined) return null
  const shut = () => void (refused.value = undefined)
  return (
    <Dialog title={t().title(refusal.name)} close={shut}>
      <div class="stack">
        <p>{t().because}</p>
        <ul class="wake-reasons">
          {refusal.reasons.map((reason) => (
            <li key={reason}>{said(reason)}</li>
          ))}
        </ul>
        <p class="soft">{t().better}</p>
        <p class="soft">{t().anyway}</p>
        <Refused problem={doing.problem.value} />
        <div class="dialog-actions">
          <button type="button" class="danger" disabled={doing.busy.value} onClick={() => activate(refusal.name, true)}>
            {t().force}
          </button>
          <button type="button" onClick={shut}>
            {t().leave}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
