/** Description of a page of the console, and who may open it. */
import type { ComponentType } from "preact"
import { isProvider, may, type Permission } from "../lib/Me.ts"
import type { GroupName } from "./Groups.ts"

export interface PageEntry {
  /** Path below `/console`; may have parameters, `/alarms/:id`. */
  readonly path: string
  readonly load: () => Promise<{ readonly default: ComponentType<any> }>
  /** Entry in the navigation; absent for pages that another page links to. */
  readonly nav?: { readonly title: () => string; readonly icon: string; readonly group: GroupName }
  /** Permission to open the page; of several, one is enough. */
  readonly needs?: Permission | ReadonlyArray<Permission>
  /** Whether the page is only for users of the provider. Others who open its address are told so. */
  readonly provider?: true
}

/** Whether the user may open the page. */
export const mayOpen = ({ needs, provider }: Pick<PageEntry, "needs" | "provider">): boolean =>
  (provider === undefined || isProvider()) && (needs === undefined || [needs].flat().some(may))
