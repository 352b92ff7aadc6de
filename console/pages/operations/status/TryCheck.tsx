import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"
import { type CheckType, type Definition, inForm } from "./Checks.ts"
import { outcomeTone, outcomeWord } from "./Words.ts"

type Results = Answer<"POST /api/v1/admin/components/try">["results"]

const t = words({
  en: { now: "Try it now", trying: "Trying …" },
  de: { now: "Jetzt ausprobieren", trying: "Wird ausprobiert …" }
})

/** Runs the check of a form once, and shows what it finds. Stores nothing. */
export const TryCheck = ({ given, type }: { readonly type: CheckType; readonly given: () => Definition }) => {
  const doing = useDoing()
  const results = useSignal<Results>([])
  const run = () =>
    void doing.run(async () => {
      results.value = []
      try {
        results.value = (await call("POST /api/v1/admin/components/try", { payload: { checks: [given()] } })).results
      } catch (error) {
        throw inForm(type, error)
      }
    })
  return (
    <div class="setting-test">
      <p class="choices">
        <button type="button" disabled={doing.busy.value} onClick={run}>
          {doing.busy.value ? t().trying : t().now}
        </button>
      </p>
      <div role="status">
        {results.value.map(({ detail, kind, outcome }, at) => (
          <p key={at}>
            <Badge tone={outcomeTone(outcome)}>{outcomeWord(outcome)}</Badge> {kind}: {detail}
          </p>
        ))}
      </div>
      <Refused problem={doing.problem.value} />
    </div>
  )
}
