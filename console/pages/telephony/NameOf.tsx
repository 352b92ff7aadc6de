import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { may } from "../../lib/Me.ts"
import type { ThingName } from "./Kind.ts"
import { edition, neededFor, thing } from "./Things.ts"

/** Name of an object by its id. Shows the id until the name is loaded, or when the user may not load it. */
export const NameOf = ({ id, of }: { readonly of: ThingName; readonly id: number }) => {
  const label = useSignal<string | undefined>(undefined)
  useEffect(() => {
    if (!may(neededFor(of))) return
    let current = true
    thing(of, id).then(
      (found) => current && (label.value = found.label),
      () => current && (label.value = undefined)
    )
    return () => void (current = false)
  }, [of, id, edition.value])
  return <>{label.value ?? `#${id}`}</>
}
