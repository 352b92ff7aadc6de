/** Column contents that several kinds share. */
import type { ComponentChildren } from "preact"
import { Badge } from "../../../parts/Badge.tsx"
import type { ThingName } from "../Kind.ts"
import { NameOf } from "../NameOf.tsx"
import { thingTitle } from "../Things.ts"
import { common } from "./Common.ts"

export const State = ({ enabled }: { readonly enabled: boolean }) =>
  enabled ? <Badge tone="success">{common().on}</Badge> : <Badge tone="quiet">{common().off}</Badge>

export const LeadsTo = ({ id, type }: { readonly type: ThingName; readonly id: number }) => (
  <>
    {thingTitle(type)} <NameOf of={type} id={id} />
  </>
)

/** A list, one item per row. */
export const Rows = ({ children }: { readonly children: ReadonlyArray<ComponentChildren> }) => (
  <ul class="plain-list">
    {children.map((one, at) => (
      <li key={at}>{one}</li>
    ))}
  </ul>
)
