import { answer, bar, call, hangUp, hold, mute } from "./Phone.ts"
import "./softphone.css"

/**
 * The current call at the bottom of every page, so that the call continues during navigation. A call that rings in its
 * dialog is not shown here.
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
