/** Activates, deactivates and deletes models. */
import { type Signal, useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { type Doing, useDoing } from "../../../lib/Doing.ts"
import { Problem } from "../../../lib/Problem.ts"
import { undoable } from "../../../lib/Undo.ts"
import { undoWords } from "../../../lib/UndoWords.ts"

/** A model that the gate refused, with its reasons in English. */
export interface GateRefusal {
  readonly name: string
  readonly reasons: ReadonlyArray<string>
}

export interface Activation {
  readonly doing: Doing
  /** The refusal that a dialog explains; undefined: none. */
  readonly refused: Signal<GateRefusal | undefined>
  /** `force`: although the gate refuses it. */
  readonly activate: (name: string, force?: boolean) => void
  readonly deactivate: (name: string) => void
  readonly remove: (name: string) => void
}

/** `changed`: after each change. `removed`: after a deletion; default: `changed`. */
export const useActivation = (changed: () => void, removed: () => void = changed): Activation => {
  const doing = useDoing()
  const refused = useSignal<GateRefusal | undefined>(undefined)
  const after = (then: () => void) => (done: boolean) => {
    if (done) then()
  }
  const send = async (name: string, force: boolean) => {
    try {
      await call("POST /api/v1/wakeword/models/:name/activate", {
        params: { name },
        query: force ? { force: "true" } : {}
      })
      refused.value = undefined
      changed()
    } catch (error) {
      if (!(error instanceof Problem && error.code === "gate_refused")) throw error
      refused.value = { name, reasons: error.fields["reasons"] as ReadonlyArray<string> }
    }
  }
  return {
    doing,
    refused,
    activate: (name, force = false) => void doing.run(() => send(name, force)),
    deactivate: (name) =>
      void doing
        .run(() =>
          undoable(
            () => call("POST /api/v1/wakeword/models/:name/deactivate", { params: { name } }),
            () => undoWords().off(name),
            // The model was active, whatever the gate says about it.
            () => call("POST /api/v1/wakeword/models/:name/activate", { params: { name }, query: { force: "true" } })
          )
        )
        .then(after(changed)),
    remove: (name) =>
      void doing.run(() => call("DELETE /api/v1/wakeword/models/:name", { params: { name } })).then(after(removed))
  }
}
