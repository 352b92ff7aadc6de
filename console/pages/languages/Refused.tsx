import type { Deed } from "../settings/useDeed.ts"
import { told } from "./Refusals.ts"

/** The error of an action. */
export const Refused = ({ of }: { readonly of: Deed }) =>
  of.problem.value === undefined ? null : (
    <div class="trouble" role="alert">
      <p>{told(of.problem.value)}</p>
    </div>
  )
