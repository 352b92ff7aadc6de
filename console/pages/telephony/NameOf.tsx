import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { ThingName } from "./Kind.ts"
import { edition, thing } from "./Things.ts"

/** Name of an object by its id. Shows the id until the name is loaded, or when it cannot be loaded. */
export const NameOf = ({ id, of }: { readonly of: ThingName; readonly id: number }) => {
  const label = useSignal<string | undefined>(undefined)
  useEffect(() => {
    let current = true
    thing(of, id).then(
      (found) => current && (label.value = found.label),
      () => current && (label.value = undefined)
    )
    return () => void (current = false)
  }, [of, id, edition.value])
  return <>{label.value ?? `#${id}`}</>
}
