import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { useEffect } from "preact/hooks"
import { clock } from "../lib/Format.ts"
import { Icon } from "../parts/Icon.tsx"
import { type Call, isTalking } from "./CallState.ts"
import { callWords as t, otherSide, standing } from "./CallWords.ts"

/** Text of a call for screen readers. */
export const told = (call: Call): string => `${otherSide(call)}: ${standing(call)}`

/** Actions of the bar's buttons. They are passed in, because Phone.ts loads this file lazily. */
interface CallActions {
  readonly answer: () => void
  readonly hangUp: () => void
  readonly hold: (on: boolean) => void
  readonly mute: (on: boolean) => void
}

/** The current call with its buttons. */
export const CallBar = ({
  actions: { answer, hangUp, hold, mute },
  of: now
}: {
  readonly of: Call
  readonly actions: CallActions
}) => {
  const { path } = useLocation()
  return (
    <section class={`call-bar ${now.phase}`} aria-label={t().call}>
      <p class="call-bar-who">
        <Icon name="phone" />
        <strong>{otherSide(now)}</strong> {now.name === undefined ? null : <small>{now.number}</small>}{" "}
        <span>{standing(now)}</span> {isTalking(now) ? <Since at={now.since ?? 0} /> : null}
      </p>
      <div class="call-bar-actions">
        {now.phase === "ringing" ? (
          <button type="button" class="primary" onClick={answer}>
            {t().answer}
          </button>
        ) : null}
        {isTalking(now) ? (
          <>
            <button type="button" aria-pressed={now.muted} onClick={() => mute(!now.muted)}>
              {t().mute}
            </button>
            <button type="button" aria-pressed={now.held} onClick={() => hold(!now.held)}>
              {t().hold}
            </button>
            {path === "/console/phone" ? null : (
              <a class="button" href="/console/phone">
                {t().keypad}
              </a>
            )}
          </>
        ) : null}
        {now.phase === "ended" ? null : (
          <button type="button" class="danger" onClick={hangUp}>
            {now.phase === "ringing" ? t().reject : t().hangUp}
          </button>
        )}
      </div>
    </section>
  )
}

/** Duration of the call. Not announced by screen readers, because it changes every second. */
const Since = ({ at }: { readonly at: number }) => {
  const passed = useSignal(0)
  useEffect(() => {
    const count = () => (passed.value = Date.now() - at)
    count()
    const timer = setInterval(count, 1_000)
    return () => clearInterval(timer)
  }, [at])
  return (
    <span class="call-bar-time" role="timer" aria-live="off">
      {clock(passed.value)}
    </span>
  )
}
