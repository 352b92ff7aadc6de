import { answer, bar, call, hangUp, hold, mute } from "./Phone.ts"
import "./softphone.css"

/**
 * The call there is, at the foot of every page: it goes on while one looks elsewhere. One that rings in its window is
 * not shown twice.
 */
export const CallPlace = () => {
  const now = call.value
  const parts = now === undefined || (now.phase === "ringing" && !now.quiet) ? undefined : bar.value
  return (
    <>
      <div class="sr" role="status">
        {now === undefined ? "" : parts?.told(now)}
      </div>
      {now === undefined || parts === undefined ? null : (
        <parts.CallBar of={now} actions={{ answer, hangUp, hold, mute }} />
      )}
    </>
  )
}
