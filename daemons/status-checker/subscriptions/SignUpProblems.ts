/** Checks a subscription request. Pure. */
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import type { Component } from "../status/Model.ts"

export interface SignUpProblem {
  readonly field: "email" | "components"
  /** Position in the request, such as `components[2]`. */
  readonly at: string
  readonly message: string
}

/**
 * Maximum number of reported problems. Unit: problems. Reason: keeps the answer short for hundreds of unknown
 * components.
 */
const mostProblems = 20

export const problemsOf = (
  email: string,
  components: ReadonlyArray<string> | null,
  known: ReadonlyArray<Pick<Component, "id">>
): ReadonlyArray<SignUpProblem> => {
  const ids = new Set(known.map(({ id }) => id))
  return [
    ...(normaliseEmail(email) === undefined
      ? [{ field: "email", at: "email", message: "must be an e-mail address" } as const]
      : []),
    ...(components ?? []).flatMap((id, index) =>
      ids.has(id)
        ? []
        : [
            {
              field: "components",
              at: `components[${index}]`,
              message: "is not a component of this status page"
            } as const
          ]
    )
  ].slice(0, mostProblems)
}
