import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { useEffect } from "preact/hooks"
import { clock } from "../lib/Format.ts"
import { Icon } from "../parts/Icon.tsx"
import { isTalking } from "./CallState.ts"
import { answer, call, hangUp, hold, mute } from "./Phone.ts"
import { otherSide, phoneWords as t, standing } from "./Words.ts"
import "./softphone.css"

/** The call there is, at the foot of every page: it goes on while one looks elsewhere. One that rings in its window is not shown twice. */
export const CallBar = () => {
  const now = call.value
  const { path } = useLocation()
  const there = now !== undefined && !(now.phase === "ringing" && !now.quiet)
  return (
    <>
      <div class="sr" role="status">{there ? `${otherSide(now)}: ${standing(now)}` : ""}</div>
      {there
        ? (
          <section class={`call-bar ${now.phase}`} aria-label={t().call}>
            <p class="call-bar-who"><Icon name="phone" /><strong>{otherSide(now)}</strong> {now.name === undefined ? null : <small>{now.number}</small>} <span>{standing(now)}</span> {isTalking(now) ? <Since at={now.since ?? 0} /> : null}</p>
            <div class="call-bar-actions">
              {now.phase === "ringing" ? <button type="button" class="primary" onClick={answer}>{t().answer}</button> : null}
              {isTalking(now)
                ? (
                  <>
                    <button type="button" aria-pressed={now.muted} onClick={() => mute(!now.muted)}>{t().mute}</button>
                    <button type="button" aria-pressed={now.held} onClick={() => hold(!now.held)}>{t().hold}</button>
                    {path === "/console/phone" ? null : <a class="button" href="/console/phone">{t().keypad}</a>}
                  </>
                )
                : null}
              {now.phase === "ended" ? null : <button type="button" class="danger" onClick={hangUp}>{now.phase === "ringing" ? t().reject : t().hangUp}</button>}
            </div>
          </section>
        )
        : null}
    </>
  )
}

/** How long it lasts by now. Not read out: it changes every second. */
const Since = ({ at }: { readonly at: number }) => {
  const passed = useSignal(0)
  useEffect(() => {
    const count = () => (passed.value = Date.now() - at)
    count()
    const timer = setInterval(count, 1_000)
    return () => clearInterval(timer)
  }, [at])
  return <span class="call-bar-time" role="timer" aria-live="off">{clock(passed.value)}</span>
}
