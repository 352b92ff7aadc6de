import { words } from "../../lib/Language.ts"
import { Trouble } from "../../parts/Trouble.tsx"
import type { Doing } from "../../lib/Doing.ts"

const t = words({
  en: {
    wrong: "The password is wrong.",
    code: "The code is wrong or has expired.",
    recent: "Sign in again first: this is possible only within ten minutes of signing in.",
    many: "Too many tries. Wait a little and try again."
  },
  de: {
    wrong: "Das Passwort stimmt nicht.",
    code: "Der Code stimmt nicht oder ist abgelaufen.",
    recent: "Bitte zuerst neu anmelden: Das geht nur in den ersten zehn Minuten danach.",
    many: "Zu viele Versuche. Bitte etwas warten."
  }
})

const texts: Readonly<Record<string, () => string>> = {
  invalid_credentials: () => t().wrong,
  invalid_code: () => t().code,
  recent_sign_in_required: () => t().recent,
  too_many_tries: () => t().many
}

/** Result of an action as text; `done` is shown after a success. */
export const Outcome = ({ done, of: { done: well, problem } }: { readonly of: Doing; readonly done?: string }) => {
  const known = problem.value === undefined ? undefined : texts[problem.value.code]
  const fields = problem.value?.fields["errors"]
  const wrong = Array.isArray(fields)
    ? fields.map((one: { readonly message?: unknown }) => String(one.message ?? "")).filter((text) => text !== "")
    : []
  if (known !== undefined || wrong.length > 0)
    return (
      <div class="trouble" role="alert">
        <p>{known?.() ?? wrong.join(" ")}</p>
      </div>
    )
  return (
    <>
      <Trouble problem={problem.value} />
      <p role="status" class={well.value && done !== undefined ? "done" : "sr"}>
        {well.value ? done : ""}
      </p>
    </>
  )
}
