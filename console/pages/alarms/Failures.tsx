import { Badge } from "../../parts/Badge.tsx"
import { stepName } from "../../parts/StepWords.ts"
import { channelTitle } from "../../parts/TargetChips.tsx"
import { runWords as t, targetTitle } from "./RunWords.ts"
import { failuresOf, type RunView } from "./Story.ts"

/** What failed, with the reasons; nothing when nothing did. */
export const Failures = ({ run }: { readonly run: RunView }) => {
  const failures = failuresOf(run)
  if (failures.length === 0) return null
  return (
    <section class="failures" aria-labelledby="failures">
      <h2 id="failures">{t().failures}</h2>
      <ul>
        {failures.map(({ channel, key, kind, name, reason, state }) => (
          <li key={key}>
            <span>
              {kind === "step" ? t().failedStep(stepName(name)) : `${channelTitle(channel ?? "")} ${name}`}{" "}
              <Badge tone={state === "failed" ? "error" : "warning"}>{targetTitle(state)}</Badge>
            </span>
            {reason === null || reason === "" ? null : <p>{reason}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
